//! Filter transforms of a convolution as bytes, so that a later start does not compute them.

use std::io::{self, Read, Write};

use super::filter::ShortWeights;
use super::interpolation::FREQS;
use crate::kernels::Kernel;
use crate::layer::{BLOCK, Convolution, Row};

/// Number of rows converted at once.
const CHUNK: usize = 512;

impl Convolution {
    /// Writes the filter transform that a kernel uses, if any. All numbers are little-endian.
    pub(crate) fn write_transform(&self, kernel: Kernel, to: &mut impl Write) -> io::Result<()> {
        match self.transform(kernel) {
            Transform::None => Ok(()),
            Transform::Floats => write_rows(self.transformed_weights(), f32::to_le_bytes, to),
            Transform::Shorts => {
                let shorts = self.transformed_int16();
                write_rows(&shorts.weights, u32::to_le_bytes, to)?;
                let (scales, rest) = shorts.scales.as_chunks();
                debug_assert!(rest.is_empty());
                for scales in scales {
                    write_rows(&[Row(*scales)], f32::to_le_bytes, to)?;
                }
                Ok(())
            }
        }
    }

    /// Reads what [`Convolution::write_transform`] wrote. The number of bytes follows from the
    /// sizes of the layer.
    ///
    /// # Errors
    /// If there are too few bytes. The layer is unchanged then.
    pub(crate) fn read_transform(&self, kernel: Kernel, from: &mut impl Read) -> io::Result<()> {
        let blocks = FREQS * (self.outputs / BLOCK);
        match self.transform(kernel) {
            Transform::None => {}
            Transform::Floats => {
                let rows = read_rows(blocks * self.inputs, f32::from_le_bytes, from)?;
                // The layer is new, so nothing was computed before.
                let _ = self.transforms.floats.set(rows);
            }
            Transform::Shorts => {
                let weights = read_rows(blocks * self.inputs / 2, u32::from_le_bytes, from)?;
                let scales = read_rows(blocks, f32::from_le_bytes, from)?;
                let scales = scales.iter().flat_map(|row| row.0).collect();
                let shorts = ShortWeights { weights, scales };
                let _ = self.transforms.int16.set(shorts);
            }
        }
        Ok(())
    }

    /// Returns the filter transform that a kernel uses.
    fn transform(&self, kernel: Kernel) -> Transform {
        match kernel {
            _ if self.taps != 9 => Transform::None,
            Kernel::Avx2Int16 | Kernel::Avx2Vnni | Kernel::Avx512Int16 => Transform::Shorts,
            Kernel::Neon | Kernel::Avx2 | Kernel::Avx512 => Transform::Floats,
            Kernel::Portable | Kernel::Avx512Bf16 | Kernel::Amx => Transform::None,
        }
    }
}

/// Kind of a filter transform.
enum Transform {
    None,
    Floats,
    Shorts,
}

fn write_rows<T: Copy>(
    rows: &[Row<T>],
    bytes: impl Fn(T) -> [u8; 4],
    to: &mut impl Write,
) -> io::Result<()> {
    let mut space = Vec::with_capacity(CHUNK * BLOCK * 4);
    for rows in rows.chunks(CHUNK) {
        space.clear();
        let numbers = rows.iter().flat_map(|row| row.0);
        space.extend(numbers.flat_map(&bytes));
        to.write_all(&space)?;
    }
    Ok(())
}

/// Reads rows. Memory grows only with data that was read.
fn read_rows<T: Copy>(
    count: usize,
    number: impl Fn([u8; 4]) -> T,
    from: &mut impl Read,
) -> io::Result<Vec<Row<T>>> {
    let mut rows = Vec::new();
    let mut space = vec![0; CHUNK * BLOCK * 4];
    while rows.len() < count {
        let now = CHUNK.min(count - rows.len());
        let space = &mut space[..now * BLOCK * 4];
        from.read_exact(space)?;
        let read = space.as_chunks::<4>().0.as_chunks::<BLOCK>().0.iter();
        rows.extend(read.map(|row| Row(row.map(&number))));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transforms_are_read_as_they_were_written() {
        let weights: Vec<f32> = (0..9 * 40 * 50).map(|i| (i as f32).sin()).collect();
        let layer = || Convolution::from_floats(9, 40, 50, &weights);
        for kernel in Kernel::ALL {
            let (one, other) = (layer(), layer());
            let mut bytes = Vec::new();
            one.write_transform(kernel, &mut bytes).unwrap();
            if let Some(short) = bytes.len().checked_sub(1) {
                assert!(other.read_transform(kernel, &mut &bytes[..short]).is_err());
            }
            let mut rest = &bytes[..];
            other.read_transform(kernel, &mut rest).unwrap();
            assert!(rest.is_empty(), "{kernel}");
            let read = &other.transforms;
            let has_read = read.floats.get().is_some() || read.int16.get().is_some();
            assert_eq!(has_read, !bytes.is_empty(), "{kernel}");
            // These compute the transform only if it was not read.
            let shorts = [&one, &other].map(|layer| layer.transformed_int16());
            assert_eq!(shorts[0].weights, shorts[1].weights);
            assert_eq!(shorts[0].scales, shorts[1].scales);
            assert_eq!(one.transformed_weights(), other.transformed_weights());
        }
        let single = Convolution::from_floats(1, 40, 50, &weights[..2000]);
        let mut bytes = Vec::new();
        single.write_transform(Kernel::Avx2, &mut bytes).unwrap();
        assert!(bytes.is_empty());
    }
}

//! Readers of single layers: their names, sizes and weights.

use super::model::{Activation, Bias, Conv, Matrix, Norm, RmsNorm};
use super::scan::{ModelError, Scanner};

/// Maximum number of channels of a layer.
pub(super) const MOST_CHANNELS: usize = 1 << 13;
/// Maximum side of a filter.
const MOST_SIDE: usize = 9;
/// Maximum number of inputs of all taps of a filter other than 3×3. Each thread collects that many
/// floats for each point.
const MOST_COLLECTED: usize = 1 << 15;

/// Reader of the layers of one file.
pub(super) struct Reader<'a> {
    pub(super) scanner: Scanner<'a>,
    /// Version of the format.
    pub(super) version: usize,
}

/// Result of reading.
pub(super) type Found<T> = Result<T, ModelError>;

impl Reader<'_> {
    pub(super) fn fits(&self, found: usize, expected: usize) -> Found<()> {
        match found == expected {
            true => Ok(()),
            false => Err(ModelError::Channels(
                self.scanner.layer.clone(),
                found,
                expected,
            )),
        }
    }

    pub(super) fn channels(&mut self) -> Found<usize> {
        self.scanner
            .whole(1..=MOST_CHANNELS, "a number of channels")
    }

    pub(super) fn conv(&mut self) -> Found<Conv> {
        self.scanner.name()?;
        let mut side = || {
            let side = self.scanner.whole(1..=MOST_SIDE, "an odd side")?;
            match side % 2 {
                0 => Err(self
                    .scanner
                    .unexpected(&side.to_string(), "an odd side of a filter")),
                _ => Ok(side),
            }
        };
        let (height, width) = (side()?, side()?);
        let (inputs, outputs) = (self.channels()?, self.channels()?);
        let collected = height * width * inputs;
        if (height, width) != (3, 3) && collected > MOST_COLLECTED {
            let expected = format!("a filter of at most {MOST_COLLECTED} inputs");
            return Err(self.scanner.unexpected(&collected.to_string(), expected));
        }
        for _ in 0..2 {
            self.scanner.whole(1..=1, "a dilation")?;
        }
        let count = (height * width * inputs).saturating_mul(outputs);
        Ok(Conv {
            height,
            width,
            inputs,
            outputs,
            weights: self.scanner.floats(count)?,
        })
    }

    /// Reads a convolution with this number of inputs.
    pub(super) fn conv_of(&mut self, inputs: usize) -> Found<Conv> {
        let conv = self.conv()?;
        self.fits(conv.inputs, inputs)?;
        Ok(conv)
    }

    pub(super) fn activation(&mut self) -> Found<Activation> {
        self.scanner.name()?;
        if self.version < 11 {
            return Ok(Activation::Relu);
        }
        let word = self.scanner.word()?;
        match word.as_str() {
            "ACTIVATION_IDENTITY" => Ok(Activation::Identity),
            "ACTIVATION_RELU" => Ok(Activation::Relu),
            "ACTIVATION_MISH" => Ok(Activation::Mish),
            "ACTIVATION_SILU" => Ok(Activation::Silu),
            _ => Err(self
                .scanner
                .unexpected(&word, "ACTIVATION_ and IDENTITY, RELU, MISH or SILU")),
        }
    }

    /// Reads a batch normalization of this number of channels and its activation.
    pub(super) fn norm(&mut self, channels: usize) -> Found<Norm> {
        self.scanner.name()?;
        let count = self.channels()?;
        self.fits(count, channels)?;
        let epsilon = self.scanner.positive("an epsilon")?;
        let has_scale = self.scanner.switch("a switch")?;
        let has_offset = self.scanner.switch("a switch")?;
        let mean = self.scanner.floats(count)?;
        let variance = self.scanner.floats(count)?;
        let mut scale = match has_scale {
            true => self.scanner.floats(count)?,
            false => vec![1.0; count],
        };
        let mut offset = match has_offset {
            true => self.scanner.floats(count)?,
            false => vec![0.0; count],
        };
        for (scale, variance) in scale.iter_mut().zip(variance) {
            *scale /= (variance + epsilon).sqrt();
        }
        for ((offset, scale), mean) in offset.iter_mut().zip(&scale).zip(mean) {
            *offset -= scale * mean;
        }
        if scale.iter().chain(&offset).any(|value| !value.is_finite()) {
            return Err(ModelError::Weight(self.scanner.layer.clone()));
        }
        Ok(Norm {
            scale,
            offset,
            activation: self.activation()?,
        })
    }

    /// Reads a matrix with this number of inputs.
    pub(super) fn matrix(&mut self, inputs: usize) -> Found<Matrix> {
        self.scanner.name()?;
        let (found, outputs) = (self.channels()?, self.channels()?);
        self.fits(found, inputs)?;
        Ok(Matrix {
            inputs,
            outputs,
            weights: self.scanner.floats(inputs * outputs)?,
        })
    }

    /// Reads a matrix with these numbers of inputs and of outputs.
    pub(super) fn matrix_to(&mut self, inputs: usize, outputs: usize) -> Found<Matrix> {
        let matrix = self.matrix(inputs)?;
        self.fits(matrix.outputs, outputs)?;
        Ok(matrix)
    }

    /// Reads a matrix that is applied to every point.
    pub(super) fn product(&mut self, inputs: usize, outputs: usize) -> Found<Conv> {
        let matrix = self.matrix_to(inputs, outputs)?;
        Ok(Conv {
            height: 1,
            width: 1,
            inputs,
            outputs,
            weights: matrix.weights,
        })
    }

    pub(super) fn offsets(&mut self, channels: usize) -> Found<Vec<f32>> {
        self.scanner.name()?;
        let count = self.channels()?;
        self.fits(count, channels)?;
        self.scanner.floats(count)
    }

    pub(super) fn bias(&mut self, channels: usize) -> Found<Bias> {
        Ok(Bias {
            offset: self.offsets(channels)?,
            activation: self.activation()?,
        })
    }

    pub(super) fn rms_norm(&mut self, channels: usize) -> Found<RmsNorm> {
        self.scanner.name()?;
        let count = self.channels()?;
        self.fits(count, channels)?;
        Ok(RmsNorm {
            epsilon: self.scanner.positive("an epsilon")?,
            scale: self.scanner.floats(count)?,
        })
    }
}

//! Products of two matrices of floats that both come from activations.

use crate::layer::{BLOCK, Row};

/// Right matrix of a product.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    /// Number of inputs.
    inputs: usize,
    /// Number of outputs, a multiple of 32. Some of them may be unused.
    outputs: usize,
    /// `[output / 32][input][output % 32]`
    rows: Vec<Row<f32>>,
}

impl Columns {
    /// Changes the size of the matrix. Its numbers are arbitrary then.
    pub(crate) fn resize(&mut self, inputs: usize, outputs: usize) {
        self.inputs = inputs;
        self.outputs = outputs.next_multiple_of(BLOCK);
        let count = self.outputs / BLOCK * inputs;
        self.rows.resize(count, Row([0.0; BLOCK]));
    }

    /// Returns the number of inputs.
    pub(super) fn inputs(&self) -> usize {
        self.inputs
    }

    /// Returns the numbers of a block of 32 outputs: a row per input.
    pub(super) fn block(&self, block: usize) -> &[Row<f32>] {
        &self.rows[block * self.inputs..][..self.inputs]
    }

    /// Returns the numbers of a block of 32 outputs, to change them.
    pub(crate) fn block_mut(&mut self, block: usize) -> &mut [Row<f32>] {
        &mut self.rows[block * self.inputs..][..self.inputs]
    }

    /// Returns the number of outputs with the unused ones.
    pub(super) fn outputs(&self) -> usize {
        self.outputs
    }
}

/// Product of two matrices.
pub(crate) struct MatrixProduct<'a> {
    /// Number of rows.
    pub(crate) count: usize,
    /// Left matrix: `[row][input]`.
    pub(crate) rows: &'a [f32],
    /// Number of floats from a row to the next.
    pub(crate) stride: usize,
    /// Right matrix.
    pub(crate) columns: &'a Columns,
    /// The product: `[row][output]` for all outputs of the columns.
    pub(crate) product: &'a mut [f32],
}

impl MatrixProduct<'_> {
    /// Checks the sizes.
    ///
    /// # Panics
    /// If a slice is too short, or the stride is less than the number of inputs.
    pub(super) fn check(&self) {
        let inputs = self.columns.inputs();
        assert!(self.stride >= inputs, "stride");
        assert!(
            self.rows.len() + self.stride >= self.count * self.stride + inputs,
            "rows"
        );
        assert!(
            self.product.len() >= self.count * self.columns.outputs(),
            "product"
        );
    }
}

//! Heads of a pass: policy, and value with ownership.

use super::super::jobs::{add_bias, multiply};
use super::super::plan::{Plan, Product};
use super::{Executor, Raw};

impl Executor {
    /// Computes the policy of each position from the operand of the trunk.
    pub(super) fn policy(&mut self, plan: &Plan, trunk: &[f32], raws: &mut [Raw]) {
        let head = &plan.policy;
        let mut pooled = self.rows(head.pooled.outputs());
        self.product(&head.pooled, trunk, &mut pooled);
        let (values, bias) = self.pooled_bias(&head.pool, &head.to_bias, pooled);
        let mut rows = self.rows(head.inner.outputs());
        self.product(&head.inner, trunk, &mut rows);
        let operand = self.normalize(&head.norm, Some(&bias), &rows);
        self.give(rows);
        let policies = plan.policies();
        let found = self.outputs(&head.out, operand);
        let boards = values.chunks_exact(values.len() / raws.len());
        for ((board, raw), values) in raws.iter_mut().enumerate().zip(boards) {
            self.copy_points(&found, board, head.out.outputs(), policies, &mut raw.policy);
            raw.pass.clear();
            raw.pass.resize(head.pass.outputs, 0.0);
            multiply(&head.pass, values, &mut raw.pass);
            if let Some((bias, matrix)) = &head.pass_more {
                let mut hidden = std::mem::take(&mut raw.pass);
                add_bias(bias, &mut hidden);
                raw.pass.resize(matrix.outputs, 0.0);
                multiply(matrix, &hidden, &mut raw.pass);
            }
        }
        self.give(found);
    }

    /// Computes the value, the scores, and the ownership of each position from the operand of the
    /// trunk.
    pub(super) fn value(&mut self, plan: &Plan, trunk: &[f32], raws: &mut [Raw]) {
        let head = &plan.value;
        let mut rows = self.rows(head.inner.outputs());
        self.product(&head.inner, trunk, &mut rows);
        let operand = self.normalize(&head.norm, None, &rows);
        self.give(rows);
        let channels = head.hidden.inputs / 3;
        let values = self.pool(&operand, head.norm.scale.len(), channels, false);
        let found = self.outputs(&head.ownership, operand);
        let boards = values.chunks_exact(values.len() / raws.len());
        for ((board, raw), values) in raws.iter_mut().enumerate().zip(boards) {
            let mut hidden = vec![0.0; head.hidden.outputs];
            multiply(&head.hidden, values, &mut hidden);
            add_bias(&head.hidden_bias, &mut hidden);
            raw.outcome.clone_from(&head.outcome_bias);
            multiply(&head.outcome, &hidden, &mut raw.outcome);
            raw.scores.clone_from(&head.scores_bias);
            multiply(&head.scores, &hidden, &mut raw.scores);
            let stored = head.ownership.outputs();
            self.copy_points(&found, board, stored, 1, &mut raw.ownership);
        }
        self.give(found);
    }

    /// Returns the rows of a product, and takes the operand.
    fn outputs(&mut self, product: &Product, operand: Vec<f32>) -> Vec<f32> {
        let mut rows = self.rows(product.outputs());
        self.product(product, &operand, &mut rows);
        self.give(operand);
        rows
    }

    /// Copies the first `count` of `stored` channels at each point of a board.
    fn copy_points(
        &self,
        rows: &[f32],
        board: usize,
        stored: usize,
        count: usize,
        to: &mut Vec<f32>,
    ) {
        to.clear();
        let points = self.layout.board_points();
        for point in board * points..(board + 1) * points {
            to.extend_from_slice(&rows[self.layout.cell(point) * stored..][..count]);
        }
    }
}

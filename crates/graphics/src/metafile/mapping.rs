//! The transformation from a metafile's logical units to points ([MS-EMF] 2.1.21, 3.1.1.2).

use kurbo::{Affine, Point, Vec2};

/// The mapping mode with the window, the viewport and the world transformation.
#[derive(Debug, Clone, Default)]
pub(super) struct Mapping {
    pub mode: u32,
    pub window_origin: Point,
    pub window_extent: Option<Vec2>,
    pub viewport_origin: Point,
    pub viewport_extent: Option<Vec2>,
    pub world: Affine,
    /// Device pixels per millimetre.
    pub pixels_per_millimetre: Vec2,
    /// The transformation from device pixels to points.
    pub device_to_points: Affine,
}

/// The mapping mode whose scale is the same in both directions.
const ISOTROPIC: u32 = 7;

impl Mapping {
    /// Returns the transformation from logical units to device pixels, without the world transformation.
    fn page_transform(&self) -> Affine {
        // In these modes, the size of a logical unit is fixed: 0.1 or 0.01 mm, 0.01 or 0.001 inch, or a twentieth of a
        // point. The y axis points upwards. The values are in millimetres.
        let unit = match self.mode {
            2 => Some(0.1),
            3 => Some(0.01),
            4 => Some(0.254),
            5 => Some(0.0254),
            6 => Some(25.4 / 1440.0),
            _ => None,
        };
        let (sx, sy) = match (unit, self.window_extent, self.viewport_extent) {
            (Some(unit), ..) => (unit * self.pixels_per_millimetre.x, -unit * self.pixels_per_millimetre.y),
            (_, Some(window), Some(viewport)) if window.x != 0.0 && window.y != 0.0 => {
                let (sx, sy) = (viewport.x / window.x, viewport.y / window.y);
                // An isotropic mapping uses the smaller scale for both directions.
                let least = sx.abs().min(sy.abs());
                if self.mode == ISOTROPIC { (least.copysign(sx), least.copysign(sy)) } else { (sx, sy) }
            }
            _ => (1.0, 1.0),
        };
        let scaled = Affine::scale_non_uniform(sx, sy) * Affine::translate(-self.window_origin.to_vec2());
        Affine::translate(self.viewport_origin.to_vec2()) * scaled
    }

    /// Returns the transformation from logical units to points.
    pub fn logical_to_points(&self) -> Affine {
        self.device_to_points * (self.page_transform() * self.world)
    }
}

/// Returns true if the transformation neither rotates nor shears.
pub(super) fn is_upright(matrix: Affine) -> bool {
    let [_, b, c, ..] = matrix.as_coeffs();
    b.abs() < 1e-9 && c.abs() < 1e-9
}

/// Returns the mean scale of the transformation.
pub(super) fn mean_scale(matrix: Affine) -> f64 {
    matrix.determinant().abs().sqrt()
}

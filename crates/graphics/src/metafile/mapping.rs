//! From a metafile's logical units to points ([MS-EMF] 2.1.21, 3.1.1.2).

/// Maps (x, y) to (a·x + c·y + e, b·x + d·y + f).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Matrix(pub [f64; 6]);

impl Matrix {
    pub const PLAIN: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub fn scale(x: f64, y: f64) -> Self {
        Self([x, 0.0, 0.0, y, 0.0, 0.0])
    }

    pub fn shift(x: f64, y: f64) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// First this, then the other.
    pub fn then(self, other: Self) -> Self {
        let ([a, b, c, d, e, f], [g, h, i, j, k, l]) = (self.0, other.0);
        Self([a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l])
    }

    pub fn point(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }

    /// A direction with its length.
    pub fn vector(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let [a, b, c, d, ..] = self.0;
        (a * x + c * y, b * x + d * y)
    }

    /// How much longer lengths become, on the whole.
    pub fn stretch(&self) -> f64 {
        let [a, b, c, d, ..] = self.0;
        (a * d - b * c).abs().sqrt()
    }

    pub fn is_upright(&self) -> bool {
        let [_, b, c, ..] = self.0;
        b.abs() < 1e-9 && c.abs() < 1e-9
    }
}

/// Window, viewport, mode and the world's own transformation.
#[derive(Debug, Clone)]
pub(super) struct Mapping {
    pub mode: u32,
    pub window_origin: (f64, f64),
    pub window_extent: Option<(f64, f64)>,
    pub viewport_origin: (f64, f64),
    pub viewport_extent: Option<(f64, f64)>,
    pub world: Matrix,
    /// Pixels of a millimetre of the device.
    pub pixels: (f64, f64),
    /// From the device's pixels to points.
    pub base: Matrix,
}

/// The mode in which both scales are the same.
const ISOTROPIC: u32 = 7;

impl Mapping {
    pub fn new(pixels: (f64, f64), base: Matrix) -> Self {
        Self {
            mode: 1,
            window_origin: (0.0, 0.0),
            window_extent: None,
            viewport_origin: (0.0, 0.0),
            viewport_extent: None,
            world: Matrix::PLAIN,
            pixels,
            base,
        }
    }

    /// From logical units to the device's pixels, without the world's transformation.
    fn page(&self) -> Matrix {
        // Hundredths and thousandths of inches, tenths and hundredths of millimetres, twentieths of points; y upwards.
        let unit = match self.mode {
            2 => Some(0.1),
            3 => Some(0.01),
            4 => Some(0.254),
            5 => Some(0.0254),
            6 => Some(25.4 / 1440.0),
            _ => None,
        };
        let (sx, sy) = match (unit, self.window_extent, self.viewport_extent) {
            (Some(unit), ..) => (unit * self.pixels.0, -unit * self.pixels.1),
            (_, Some((ww, wh)), Some((vw, vh))) if ww != 0.0 && wh != 0.0 => {
                let (sx, sy) = (vw / ww, vh / wh);
                // The smaller of the two scales for both.
                let least = sx.abs().min(sy.abs());
                if self.mode == ISOTROPIC { (least.copysign(sx), least.copysign(sy)) } else { (sx, sy) }
            }
            _ => (1.0, 1.0),
        };
        let (wx, wy) = self.window_origin;
        let (vx, vy) = self.viewport_origin;
        Matrix::shift(-wx, -wy).then(Matrix::scale(sx, sy)).then(Matrix::shift(vx, vy))
    }

    /// From logical units to points.
    pub fn matrix(&self) -> Matrix {
        self.world.then(self.page()).then(self.base)
    }
}

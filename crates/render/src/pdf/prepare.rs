//! Pictures made ready for the file by other threads, while this one draws the pages: with pictures in it, most of a
//! document's time is their pixels'.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread::{self, Scope};

use waraq_layout::{Image, ImageFormat, ImageId, Pages};

use super::deflate::{Zlib, processors};
use super::pixels::Pixels;
use super::png::Png;
use crate::picture::{self, Apart, Head, Unreadable};
use waraq_layout::geometry;

/// Pixels a point that are kept of a picture, 300 an inch: more is neither seen nor printed.
const KEPT: f32 = 300.0 / 72.0;
/// Fewer bytes of pictures are ready sooner than a thread has started.
const WORTH_A_THREAD: usize = 8 << 10;
const MOST_THREADS: usize = 3;
/// So many bytes of pixels may wait for a thread that compresses them.
const MOST_HELD: usize = 32 << 20;

/// A picture for the file.
pub(super) enum Ready {
    /// As it was stored.
    Png(Png),
    Pixels(Pixels),
}

impl Ready {
    pub(super) fn head(&self) -> Head {
        match self {
            Self::Png(png) => png.head(),
            Self::Pixels(pixels) => pixels.head,
        }
    }
}

struct Picture<'a> {
    image: &'a Image,
    /// Pixels that are seen of it.
    wanted: (f32, f32),
    ready: OnceLock<Result<Ready, Unreadable>>,
}

impl Picture<'_> {
    /// Most JPEGs go into the file as they are.
    fn is_surely_asked_for(&self) -> bool {
        self.image.format != ImageFormat::Jpeg
    }
}

/// The pictures of a document, by their ids, but for drawings.
#[derive(Default)]
pub(super) struct Preparation<'a> {
    pictures: Vec<Option<Picture<'a>>>,
    /// The one that nobody has taken.
    next: AtomicUsize,
    /// Held by who decodes: a picture of a few bytes may take a hundred megabytes for that.
    decoding: Mutex<()>,
    /// Bytes of pixels that wait.
    held: AtomicUsize,
    /// Other threads are at work: a picture is taken to be as its head says until it turns out otherwise.
    trusting: AtomicBool,
}

impl<'a> Preparation<'a> {
    pub(super) fn new(pages: &'a Pages) -> Self {
        let drawn = geometry::drawn_sizes(&pages.pages);
        let picture = |(id, image): (usize, &'a Image)| {
            let (width, height) = drawn.get(&ImageId(id))?;
            let wanted = (width * KEPT, height * KEPT);
            (image.format != ImageFormat::Svg).then(|| Picture { image, wanted, ready: OnceLock::new() })
        };
        Self {
            pictures: pages.images.iter().enumerate().map(picture).collect(),
            next: AtomicUsize::new(0),
            decoding: Mutex::new(()),
            held: AtomicUsize::new(0),
            trusting: AtomicBool::new(false),
        }
    }

    /// Other threads begin, if there are any and it is worth it.
    pub(super) fn begin<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        let bytes = self.pictures.iter().flatten().filter(|picture| picture.is_surely_asked_for());
        let bytes = bytes.map(|picture| picture.image.data.len()).sum::<usize>();
        let threads = match bytes / WORTH_A_THREAD {
            0 => 0,
            worth => worth.min(MOST_THREADS).min(processors() - 1),
        };
        for _ in 0..threads {
            // where no thread can be had (WebAssembly) who wants a picture makes it
            if thread::Builder::new().spawn_scoped(scope, || self.work(&mut Zlib::for_pictures())).is_err() {
                break;
            }
            self.trusting.store(true, Ordering::Relaxed);
        }
    }

    /// From now on heads are not believed; whether they were.
    pub(super) fn distrust(&self) -> bool {
        self.trusting.swap(false, Ordering::Relaxed)
    }

    /// No picture is begun any more.
    pub(super) fn end(&self) {
        self.next.store(self.pictures.len(), Ordering::Relaxed);
    }

    /// Makes those ready that nobody has begun.
    pub(super) fn work(&self, zlib: &mut Zlib) {
        loop {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(picture) = self.pictures.get(next) else { return };
            let picture = picture.as_ref().filter(|picture| picture.is_surely_asked_for());
            if let Some(Ok(Ready::Pixels(pixels))) = picture.map(|picture| self.ready(picture)) {
                self.deflate(pixels, zlib);
            }
        }
    }

    /// Pixels that are seen of a picture.
    pub(super) fn wanted(&self, id: ImageId) -> (f32, f32) {
        self.pictures.get(id.0).and_then(Option::as_ref).map_or((0.0, 0.0), |picture| picture.wanted)
    }

    /// What the picture will be like, while another thread may still be at it; `None`: it is a drawing, or on no page.
    pub(super) fn head(&self, id: ImageId) -> Option<Result<Head, Unreadable>> {
        let picture = self.pictures.get(id.0)?.as_ref()?;
        if self.trusting.load(Ordering::Relaxed)
            && picture.ready.get().is_none()
            && picture.image.format == ImageFormat::Png
            && let Some(head) = Head::of_png(&picture.image.data, picture.wanted)
        {
            return Some(Ok(head));
        }
        let ready = self.ready(picture);
        if let Ok(Ready::Pixels(pixels)) = ready
            && self.held.load(Ordering::Relaxed) > MOST_HELD
        {
            self.deflate(pixels, &mut Zlib::for_pictures());
        }
        Some(ready.as_ref().map(Ready::head).map_err(Clone::clone))
    }

    /// The picture for the file, all done.
    pub(super) fn done(&self, id: ImageId, zlib: &mut Zlib) -> Option<&Ready> {
        let ready = self.ready(self.pictures.get(id.0)?.as_ref()?).as_ref().ok()?;
        if let Ready::Pixels(pixels) = ready {
            self.deflate(pixels, zlib);
        }
        Some(ready)
    }

    fn ready<'p>(&self, picture: &'p Picture<'a>) -> &'p Result<Ready, Unreadable> {
        picture.ready.get_or_init(|| {
            // poisoned by a decoder's panic, it is still nothing but a turn
            let _turn = self.decoding.lock();
            let Picture { image, wanted, .. } = picture;
            if image.format == ImageFormat::Png
                && let Some(png) = Png::read(&image.data, |size| !picture::is_too_fine(size, *wanted))
            {
                return Ok(Ready::Png(png));
            }
            let pixels = Pixels::new(Apart::decode(image, *wanted)?);
            self.held.fetch_add(pixels.raw_bytes(), Ordering::Relaxed);
            Ok(Ready::Pixels(pixels))
        })
    }

    fn deflate(&self, pixels: &Pixels, zlib: &mut Zlib) {
        let waiting = pixels.raw_bytes();
        if pixels.deflate(zlib) {
            self.held.fetch_sub(waiting, Ordering::Relaxed);
        }
    }
}

//! Which route a path is, as API Gateway decides it: a literal part before one that varies.

use functions::routes::Route;
use http::Method;
use percent_encoding::percent_decode_str;

pub struct Router {
    routes: Vec<(Vec<&'static str>, Route)>,
}

pub enum Found<'a> {
    /// With what the parts that vary were.
    Route(&'a Route, Vec<(String, String)>),
    /// The path is there, for these methods.
    OtherMethods(Vec<&'static str>),
    Nothing,
}

impl Router {
    pub fn new(routes: Vec<Route>) -> Self {
        Self { routes: routes.into_iter().map(|route| (parts(route.path), route)).collect() }
    }

    pub fn find(&self, method: &Method, path: &str) -> Found<'_> {
        let path = parts(path);
        let mut matching: Vec<_> =
            self.routes.iter().filter_map(|(own, route)| Some((route, varying(own, &path)?))).collect();
        let of_method = |(route, _): &&(&Route, Vec<(String, String)>)| route.method == method.as_str();
        let best = matching.iter().filter(of_method).min_by_key(|(_, varying)| varying.len()).cloned();
        match best {
            Some((route, varying)) => Found::Route(route, varying),
            None if matching.is_empty() => Found::Nothing,
            None => {
                matching.sort_by_key(|(route, _)| route.method);
                Found::OtherMethods(matching.iter().map(|(route, _)| route.method).collect())
            }
        }
    }
}

/// A slash at the end does not matter.
fn parts(path: &str) -> Vec<&str> {
    path.trim_start_matches('/').trim_end_matches('/').split('/').collect()
}

/// What the parts in braces are in `path`, if it is a path of this shape.
fn varying(own: &[&str], path: &[&str]) -> Option<Vec<(String, String)>> {
    if own.len() != path.len() {
        return None;
    }
    let mut varying = Vec::new();
    for (own, part) in own.iter().zip(path) {
        match own.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            Some(_) if part.is_empty() => return None,
            Some(name) => varying.push((name.to_owned(), percent_decode_str(part).decode_utf8_lossy().into_owned())),
            None if own != part => return None,
            None => {}
        }
    }
    Some(varying)
}

/**
 * Takes the place of the engine where it was not built (`frontend/engine` is missing): it never starts, so screens show the server's PDF and
 * say that live pages are not available.
 */
export default function init() {
  return Promise.reject(new Error('the engine for the browser was not built: cargo xtask preview'));
}

export class Preview {}

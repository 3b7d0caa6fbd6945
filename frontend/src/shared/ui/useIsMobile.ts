import { useMediaQuery } from '@mantine/hooks';

const MOBILE = '(pointer: coarse) and (max-width: 48em)';

/** Returns true for a touch screen that is also narrow. A desktop at 400 % zoom is narrow too, but has a mouse. */
export function isMobile(): boolean {
  return window.matchMedia(MOBILE).matches;
}

/** Returns `isMobile()`, and renders again when it changes. */
export function useIsMobile(): boolean {
  return useMediaQuery(MOBILE, undefined, { getInitialValueInEffect: false }) ?? false;
}

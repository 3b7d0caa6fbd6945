import { useMediaQuery } from '@mantine/hooks';

/** Returns true for a touch screen that is also narrow. A desktop at 400 % zoom is narrow too, but has a mouse. */
export function useIsMobile(): boolean {
  return (
    useMediaQuery('(pointer: coarse) and (max-width: 48em)', undefined, { getInitialValueInEffect: false }) ??
    false
  );
}

import { useEffect, useState, type ReactNode } from 'react';

import classes from './NoticeOverlay.module.css';

interface NoticeOverlayProps {
  /** The notice that covers the children; null if nothing does. */
  overlay: ReactNode;
  children: ReactNode;
}

/** Makes dialogs and menus, which are outside of the application's element, unreachable. */
function useInertPortals(covered: boolean) {
  useEffect(() => {
    if (!covered) return undefined;
    const portals = [...document.querySelectorAll<HTMLElement>('[data-portal]')];
    portals.forEach((portal) => (portal.inert = true));
    return () => portals.forEach((portal) => (portal.inert = false));
  }, [covered]);
}

/**
 * Shows a notice over its children. Children that have been shown stay mounted, so that turning a tablet loses no
 * work. Children are not loaded before they can be shown.
 */
export function NoticeOverlay({ overlay, children }: NoticeOverlayProps) {
  const isCovered = overlay !== null;
  const [hasBeenShown, setHasBeenShown] = useState(!isCovered);
  if (!isCovered && !hasBeenShown) setHasBeenShown(true);
  useInertPortals(isCovered);
  return (
    <>
      {isCovered && <div className={classes['cover']}>{overlay}</div>}
      {hasBeenShown && (
        <div className={classes['covered']} data-covered={isCovered || undefined} inert={isCovered}>
          {children}
        </div>
      )}
    </>
  );
}

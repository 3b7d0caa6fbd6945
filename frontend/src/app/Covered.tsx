import { useEffect, useState, type ReactNode } from 'react';

import classes from './Covered.module.css';

interface CoveredProps {
  /** The notice that covers the children; null if nothing does. */
  notice: ReactNode;
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
 * work; children that have not are not loaded.
 */
export function Covered({ notice, children }: CoveredProps) {
  const covered = notice !== null;
  const [opened, setOpened] = useState(!covered);
  if (!covered && !opened) setOpened(true);
  useInertPortals(covered);
  return (
    <>
      {covered && <div className={classes['cover']}>{notice}</div>}
      {opened && (
        <div className={classes['covered']} data-covered={covered || undefined} inert={covered}>
          {children}
        </div>
      )}
    </>
  );
}

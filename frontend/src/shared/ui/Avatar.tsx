import { useState } from 'react';

import classes from './Avatar.module.css';
import { PersonIcon } from './icons';

interface AvatarProps {
  /** The picture's address; without one, or where it does not load, the default avatar. */
  photo: string | null | undefined;
  /** Pixels. */
  size: number;
}

/** Somebody's picture, round; it stands beside the name and says nothing of its own. */
export function Avatar({ photo, size }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <span className={classes['avatar']} style={{ width: size, height: size }}>
      {photo && photo !== broken ? (
        <img src={photo} alt="" width={size} height={size} onError={() => setBroken(photo)} />
      ) : (
        <PersonIcon size={Math.round(size * 0.6)} />
      )}
    </span>
  );
}

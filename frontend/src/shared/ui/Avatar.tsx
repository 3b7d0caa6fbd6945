import { useState } from 'react';

import classes from './Avatar.module.css';
import { PersonIcon } from './icons';

interface AvatarProps {
  /** The URL of the picture. Without it, or if it does not load, the default avatar is shown. */
  photo: string | null | undefined;
  /** The size in pixels. */
  size: number;
}

/** A user's round picture. It is decorative, because the name is next to it. */
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

import { useState, type ReactNode } from 'react';

import classes from './DropArea.module.css';

interface DropAreaProps {
  className?: string | undefined;
  /** True while the area shows a picture in place of the invitation. */
  isFilled?: boolean;
  hasError?: boolean;
  /** Called with the dropped files, at least one. */
  onDrop: (files: File[]) => void;
  /** The content. It gets true while files are dragged over the area. */
  children: (isDraggedOver: boolean) => ReactNode;
}

/** An area for files. Its content has a file input with the class `fileInput`. */
export function DropArea({ className = '', isFilled, hasError, onDrop, children }: DropAreaProps) {
  const [isDraggedOver, setDraggedOver] = useState(false);
  return (
    <div
      className={`${classes['area']} ${className}`}
      data-filled={isFilled || undefined}
      data-over={isDraggedOver || undefined}
      data-error={hasError || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setDraggedOver(true);
      }}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDraggedOver(false);
        // Text and links can be dropped too.
        const files = [...event.dataTransfer.files];
        if (files.length > 0) onDrop(files);
      }}
    >
      {children(isDraggedOver)}
    </div>
  );
}

/** The class of the native file input in a `DropArea`. */
export const FILE_INPUT_CLASS = classes['fileInput'] ?? '';
/** The class of the text and the icon in an empty `DropArea`. */
export const INVITATION_CLASS = classes['invitation'] ?? '';

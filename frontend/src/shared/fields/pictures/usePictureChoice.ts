import { useEffect, useRef, useState } from 'react';

import { encodePicture, UNEDITED } from './encodePicture';
import type { PictureEdit } from './geometry';
import { withAlternativeText, type PictureValue } from './pictureValue';
import {
  PictureError,
  readPictureFile,
  readPictureUrl,
  type DecodedPicture,
  type PictureProblem,
} from './readPicture';

/** A picture as it was chosen, with the changes that led to the value. */
export interface EditedPicture {
  original: DecodedPicture;
  edit: PictureEdit;
}

/** Reads, edits and encodes pictures for a field. If several are chosen, the last one counts. */
export function usePictureChoice(
  value: PictureValue | undefined,
  onChange: (value: PictureValue | undefined) => void,
) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<PictureProblem | null>(null);
  /** The value before the last change, which can be undone. */
  const [undo, setUndo] = useState<{ before: PictureValue; after: string | undefined } | null>(null);
  /** The original of the current value, so that no crop loses pixels for the next one. */
  const [edited, setEdited] = useState<(EditedPicture & { image: string }) | null>(null);
  const latest = useRef({ value, onChange });
  const runCount = useRef(0);
  useEffect(() => {
    latest.current = { value, onChange };
  });
  useEffect(
    () => () => {
      runCount.current += 1;
    },
    [],
  );

  /** Runs a step; its result is dropped if another one has started meanwhile. */
  const run = async <Result>(step: () => Promise<Result>, accept: (result: Result) => void) => {
    runCount.current += 1;
    const ownRun = runCount.current;
    setProblem(null);
    setBusy(true);
    try {
      const result = await step();
      if (ownRun === runCount.current) accept(result);
    } catch (error) {
      if (ownRun === runCount.current)
        setProblem(error instanceof PictureError ? error.problem : 'unreadable');
    } finally {
      if (ownRun === runCount.current) setBusy(false);
    }
  };

  const change = (next: PictureValue | undefined) => {
    const before = latest.current.value;
    setUndo(before ? { before, after: next?.image } : null);
    latest.current.onChange(next);
  };

  const encode = async (original: DecodedPicture, edit: PictureEdit) => {
    const image = await encodePicture(original, edit);
    return { original, edit, image };
  };

  return {
    isBusy,
    problem,
    /** True if the last change of this input is still the current state. */
    canUndo: undo !== null && undo.after === value?.image,
    choose: (file: Blob) =>
      run(
        async () => encode(await readPictureFile(file), UNEDITED),
        (result) => {
          setEdited(result);
          change({ image: result.image });
        },
      ),
    /** Calls `open` with the original picture and its last changes. */
    openEditor: (open: (picture: EditedPicture) => void) =>
      run(async () => {
        if (!value) throw new PictureError('unreadable');
        if (edited?.image === value.image) return edited;
        return { original: await readPictureUrl(value.image), edit: UNEDITED };
      }, open),
    applyEdit: ({ original, edit }: EditedPicture) =>
      run(
        () => encode(original, edit),
        (result) => {
          setEdited(result);
          change(withAlternativeText(result, latest.current.value?.alternativeText ?? ''));
        },
      ),
    remove: () => {
      runCount.current += 1;
      setBusy(false);
      setProblem(null);
      change(undefined);
    },
    undo: () => {
      if (!undo) return;
      setUndo(null);
      latest.current.onChange(undo.before);
    },
  };
}

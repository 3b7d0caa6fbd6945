import { useReducer } from 'react';

import type { MarkedField } from './markedFields';

/** The fields with what was before, for undo, and what was undone, for redo. */
export interface MarkingHistory {
  past: MarkedField[][];
  fields: MarkedField[];
  future: MarkedField[][];
}

/** Returns the changed fields, or the same array if nothing changes. */
export type UpdateFields = (fields: MarkedField[]) => MarkedField[];

/** The maximum number of steps that can be undone. */
const MAX_STEPS = 200;

type Step = { type: 'change'; update: UpdateFields } | { type: 'undo' } | { type: 'redo' };

export function reduceHistory(history: MarkingHistory, step: Step): MarkingHistory {
  const { past, fields, future } = history;
  if (step.type === 'change') {
    const changed = step.update(fields);
    if (changed === fields) return history;
    return { past: [...past, fields].slice(-MAX_STEPS), fields: changed, future: [] };
  }
  if (step.type === 'undo') {
    const before = past.at(-1);
    return before ? { past: past.slice(0, -1), fields: before, future: [fields, ...future] } : history;
  }
  const [next, ...rest] = future;
  return next ? { past: [...past, fields], fields: next, future: rest } : history;
}

/** The fields of the editor, in which every change can be undone. */
export function useMarkingHistory(initial: MarkingHistory) {
  const [history, dispatch] = useReducer(reduceHistory, initial);
  return {
    history,
    fields: history.fields,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    change: (update: UpdateFields) => dispatch({ type: 'change', update }),
    undo: () => dispatch({ type: 'undo' }),
    redo: () => dispatch({ type: 'redo' }),
  };
}

import { ActionIcon } from '@mantine/core';

import { AlertIcon, HelpIcon } from '@/shared/ui/icons';

import type { LaidOutPages } from './messages';
import classes from './Pages.module.css';

/** A problem that the pages show at its place. */
export interface PageProblem {
  id: string;
  /** The fields at whose values the problem is. Without them it is shown at the top of the first page. */
  fields: readonly string[];
  /** The text of the problem, for screen readers. */
  label: string;
  /** False for a note. */
  isError: boolean;
}

/** The icon of a problem in the margin of a page. */
export interface ProblemMarker {
  problem: PageProblem;
  /** The middle of its line in points; 0 for a problem without a place. */
  y: number;
  /** The number of icons beside it on the same line. */
  column: number;
}

/** The distance in points within which places are on one line. */
const LINE_DISTANCE_PT = 10;

/** Returns the icons of each page. `names` are the fields of the document, by index. */
export function problemMarkers(
  problems: readonly PageProblem[],
  layout: LaidOutPages | null,
  names: readonly string[],
): Map<number, ProblemMarker[]> {
  const pages = new Map<number, ProblemMarker[]>();
  for (const problem of layout ? problems : []) {
    const area = layout?.blanks.find(({ field }) => problem.fields.includes(names[field] ?? ''));
    const page = area?.page ?? 0;
    const y = area ? area.y + area.height / 2 : 0;
    const others = pages.get(page) ?? [];
    const column = others.filter((other) => Math.abs(other.y - y) < LINE_DISTANCE_PT).length;
    pages.set(page, [...others, { problem, y, column }]);
  }
  return pages;
}

interface ProblemMarkersProps {
  markers: readonly ProblemMarker[];
  /** CSS pixels per point. */
  scale: number;
  rightToLeft: boolean;
  onClick: (id: string) => void;
}

/** The size of an icon in CSS pixels. */
const SIZE_PX = 24;

/** The icons of problems at the margin where the lines begin. */
export function ProblemMarkers({ markers, scale, rightToLeft, onClick }: ProblemMarkersProps) {
  return markers.map(({ problem, y, column }) => (
    <ActionIcon
      key={problem.id}
      className={classes['marker'] ?? ''}
      color={problem.isError ? 'red' : 'dark'}
      variant={problem.isError ? 'filled' : 'default'}
      size={SIZE_PX}
      aria-label={problem.label}
      title={problem.label}
      data-problem={problem.id}
      style={{
        top: Math.max(y * scale - SIZE_PX / 2, 0),
        [rightToLeft ? 'right' : 'left']: 4 + column * (SIZE_PX + 2),
      }}
      onClick={(event) => {
        event.stopPropagation();
        onClick(problem.id);
      }}
    >
      {problem.isError ? <AlertIcon size={18} /> : <HelpIcon size={18} />}
    </ActionIcon>
  ));
}

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
}

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
    pages.set(page, [...(pages.get(page) ?? []), { problem, y }]);
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

/** The size of an icon and the distance between icons, in CSS pixels. */
const SIZE_PX = 24;
const GAP_PX = 2;

/** Places icons from top to bottom, in as many columns as they need not to cover each other. */
function placeIcons(markers: readonly ProblemMarker[], scale: number) {
  const bottoms: number[] = [];
  return markers
    .map(({ problem, y }) => ({ problem, top: Math.max(y * scale - SIZE_PX / 2, 0) }))
    .sort((one, other) => one.top - other.top)
    .map(({ problem, top }) => {
      const free = bottoms.findIndex((bottom) => bottom <= top);
      const column = free < 0 ? bottoms.length : free;
      bottoms[column] = top + SIZE_PX + GAP_PX;
      return { problem, top, start: 4 + column * (SIZE_PX + GAP_PX) };
    });
}

/** The icons of problems at the margin where the lines begin. */
export function ProblemMarkers({ markers, scale, rightToLeft, onClick }: ProblemMarkersProps) {
  return placeIcons(markers, scale).map(({ problem, top, start }) => (
    <ActionIcon
      key={problem.id}
      className={classes['marker'] ?? ''}
      color={problem.isError ? '#b3261e' : 'dark'}
      variant={problem.isError ? 'filled' : 'default'}
      size={SIZE_PX}
      aria-label={problem.label}
      title={problem.label}
      data-problem={problem.id}
      style={{ top, [rightToLeft ? 'right' : 'left']: start }}
      onClick={(event) => {
        event.stopPropagation();
        onClick(problem.id);
      }}
    >
      {problem.isError ? <AlertIcon size={18} /> : <HelpIcon size={18} />}
    </ActionIcon>
  ));
}

import { createIcon } from '@/shared/ui/icons';

export const TableIcon = createIcon(
  <>
    <rect x="4" y="5" width="16" height="14" rx="1.5" />
    <path d="M4 10h16M4 14.5h16M10 10v9" />
  </>,
);
export const GripIcon = createIcon(
  <path d="M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01" strokeWidth={2.5} />,
);
export const UndoIcon = createIcon(<path d="M8.5 5 4.5 9l4 4M5 9h9.5a5 5 0 0 1 0 10H8" />, true);

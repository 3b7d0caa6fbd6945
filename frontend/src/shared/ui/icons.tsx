import type { ReactNode } from 'react';

interface IconProps {
  size?: number;
}

/** Creates a line icon on a grid of 24. It has the text's colour and is hidden from screen readers. */
export function createIcon(paths: ReactNode, mirrored = false) {
  return function Icon({ size = 18 }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.75}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
        className={mirrored ? 'mirrored' : undefined}
      >
        {paths}
      </svg>
    );
  };
}

export const HelpIcon = createIcon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M9.3 9.4a2.8 2.8 0 1 1 4 2.6c-.8.4-1.3 1-1.3 1.9v.4M12 17.2v.1" />
  </>,
);

export const SearchIcon = createIcon(
  <>
    <circle cx="11" cy="11" r="6.5" />
    <path d="m16 16 4.5 4.5" />
  </>,
);
export const CloseIcon = createIcon(<path d="M6 6l12 12M18 6 6 18" />);
export const ChevronIcon = createIcon(<path d="m9 5 7 7-7 7" />, true);
export const BackIcon = createIcon(<path d="M19 12H5m6-7-7 7 7 7" />, true);
export const DocumentsIcon = createIcon(
  <>
    <path d="M8 3h7l5 5v10a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2Z" />
    <path d="M14 3v6h6M10 13h6M10 16.5h4" />
  </>,
);
export const HomeIcon = createIcon(<path d="m4 11 8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1Z" />);
export const PlusIcon = createIcon(<path d="M12 5v14M5 12h14" />);
export const MinusIcon = createIcon(<path d="M5 12h14" />);
/** Sliders, because a gear is not recognisable at this size. */
export const SettingsIcon = createIcon(
  <>
    <path d="M4 7h9M19 7h1M4 17h1M11 17h9" />
    <circle cx="16" cy="7" r="2.5" />
    <circle cx="8" cy="17" r="2.5" />
  </>,
);
export const PersonIcon = createIcon(
  <>
    <circle cx="12" cy="8.5" r="3.8" />
    <path d="M4.8 20c.8-3.8 3.6-5.6 7.2-5.6s6.4 1.8 7.2 5.6" />
  </>,
);
export const LogoutIcon = createIcon(
  <path d="M14 4H6a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h8M11 12h9m-4-4 4 4-4 4" />,
  true,
);
export const LoginIcon = createIcon(
  <path d="M10 4h8a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1h-8M4 12h10m-4-4 4 4-4 4" />,
  true,
);
export const GlobeIcon = createIcon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M3.5 12h17M12 3.5c2.5 2.4 3.7 5.2 3.7 8.5s-1.2 6.1-3.7 8.5c-2.5-2.4-3.7-5.2-3.7-8.5S9.5 5.9 12 3.5Z" />
  </>,
);
export const PinIcon = createIcon(
  <>
    <path d="M12 21c4.5-5.2 6.8-8.7 6.8-11.5A6.8 6.8 0 0 0 5.2 9.5C5.2 12.3 7.5 15.8 12 21Z" />
    <circle cx="12" cy="9.5" r="2.3" />
  </>,
);
export const DownloadIcon = createIcon(<path d="M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 19.5h14" />);
export const EditIcon = createIcon(
  <path d="m5 19 .8-3.8L16.5 4.5a1.7 1.7 0 0 1 2.4 0l.6.6a1.7 1.7 0 0 1 0 2.4L8.8 18.2 5 19Z" />,
);
export const UploadIcon = createIcon(<path d="M12 16V5m-4.5 4.5L12 5l4.5 4.5M5 19.5h14" />);
export const AlertIcon = createIcon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.5v5.5M12 16.3v.2" />
  </>,
);
export const EyeIcon = createIcon(
  <>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
    <circle cx="12" cy="12" r="2.8" />
  </>,
);
export const EyeOffIcon = createIcon(
  <path d="M4 4l16 16M9.5 5.8A9.6 9.6 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.9 3.6M6 7.7A16 16 0 0 0 2.5 12S6 18.5 12 18.5c1.5 0 2.8-.4 4-1M10 10a2.8 2.8 0 0 0 4 4" />,
);
export const FolderIcon = createIcon(
  <path d="M4 6.5a1 1 0 0 1 1-1h4.5l2 2.5H19a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1Z" />,
);
export const MoreIcon = createIcon(<path d="M6 12h.01M12 12h.01M18 12h.01" strokeWidth={3} />);
export const CopyIcon = createIcon(
  <>
    <rect x="8.5" y="8.5" width="11" height="11" rx="1.5" />
    <path d="M15.5 8.5v-3a1 1 0 0 0-1-1h-9a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h3" />
  </>,
);
export const TrashIcon = createIcon(
  <path d="M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 12a1 1 0 0 0 1 .9h7.4a1 1 0 0 0 1-.9L17.5 7M10 11v5M14 11v5" />,
);
export const FilterIcon = createIcon(<path d="M4 6h16M7 12h10M10 18h4" />);
export const SortIcon = createIcon(<path d="M8 5v14m-3.5-3.5L8 19l3.5-3.5M16 19V5m-3.5 3.5L16 5l3.5 3.5" />);
/** The icon points in reading direction. */
export const PlayIcon = createIcon(<path d="M7 4.5v15l12-7.5Z" />, true);
export const PeopleIcon = createIcon(
  <>
    <circle cx="9" cy="8.5" r="3.3" />
    <path d="M2.8 19.5c.7-3.4 3.1-5 6.2-5s5.5 1.6 6.2 5M15.5 5.6a3.3 3.3 0 0 1 0 5.8M17.4 14.9c2 .6 3.3 2.2 3.8 4.6" />
  </>,
);
export const ChartIcon = createIcon(<path d="M4 4v16h16M8 15.5l3.5-4 3 2.5L19.5 8" />);
export const MailIcon = createIcon(
  <>
    <rect x="3.5" y="5.5" width="17" height="13" rx="1.5" />
    <path d="m4 7 8 6.5L20 7" />
  </>,
);
export const HistoryIcon = createIcon(
  <path d="M4.5 12a7.5 7.5 0 1 0 2.4-5.5M4.5 4.5v3.8h3.8M12 8v4.3l2.8 1.7" />,
);
export const AscendingIcon = createIcon(<path d="M12 19V5m-5 5 5-5 5 5" />);
export const DescendingIcon = createIcon(<path d="M12 5v14m-5-5 5 5 5-5" />);

export const WidthIcon = createIcon(
  <path d="M3.5 5v14M20.5 5v14M7 12h10M9.5 9.5 7 12l2.5 2.5M14.5 9.5 17 12l-2.5 2.5" />,
);
export const CalendarIcon = createIcon(
  <>
    <rect x="4" y="5" width="16" height="15" rx="2" />
    <path d="M4 10h16M8.5 3v4M15.5 3v4" />
  </>,
);

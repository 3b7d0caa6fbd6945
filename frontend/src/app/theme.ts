import { Button, createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

import classes from './Inputs.module.css';

/** Dark teal (#0B6E6E, in dark mode #5CC2C0) is the only accent; red is only for harm (design §8). */
const teal: MantineColorsTuple = [
  '#E6F4F3',
  '#CDE8E6',
  '#9ED0CE',
  '#5CC2C0',
  '#3BA8A6',
  '#238F8E',
  '#157E7D',
  '#0B6E6E',
  '#085A5A',
  '#064747',
];
/** Mantine's greys, except the one for borders: 3 : 1 on page and white backgrounds (WCAG 1.4.11). */
const gray: MantineColorsTuple = [
  '#F8F9FA',
  '#F1F3F5',
  '#E9ECEF',
  '#DEE2E6',
  '#7F8B98',
  '#ADB5BD',
  '#868E96',
  '#495057',
  '#343A40',
  '#212529',
];
/** The dark scale, from text on dark to the darkest background. */
const dark: MantineColorsTuple = [
  '#E4E9EF',
  '#B9C3CF',
  '#9AA6B4',
  '#6F7D8D',
  // Borders: 3 : 1 on the background of a field and of a sheet.
  '#6B7A8B',
  '#2C3846',
  '#1F2935',
  '#18202A',
  '#12181F',
  '#0C1116',
];

const labelClass = { label: classes['label'] };
const textClasses = { ...labelClass, input: classes['typed'] };

export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 3 },
  autoContrast: true,
  colors: { teal, gray, dark },
  black: '#1B2430',
  white: '#FFFFFF',
  fontFamily: "'IBM Plex Sans', 'IBM Plex Sans Arabic', system-ui, sans-serif",
  headings: {
    fontFamily: "'IBM Plex Sans', 'IBM Plex Sans Arabic', system-ui, sans-serif",
    fontWeight: '600',
  },
  defaultRadius: 8,
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  components: {
    Button: Button.extend({
      vars: (_, { variant = 'filled' }) => ({
        root: variant === 'filled' ? { '--button-color': 'var(--on-filled)' } : {},
      }),
    }),
    Input: { classNames: { input: classes['input'] } },
    TextInput: { classNames: textClasses },
    PasswordInput: { classNames: labelClass },
    Textarea: { classNames: textClasses },
    Select: {
      // The list scrolls itself and is inside the page's landmarks, so that screen readers assign it to its field.
      classNames: labelClass,
      styles: { options: { maxHeight: 'min(50vh, 240px)', overflowY: 'auto' } },
      defaultProps: {
        withScrollArea: false,
        // Tab only passes through. The list opens by a click, an arrow key or typing.
        openOnFocus: false,
        comboboxProps: { withinPortal: false, transitionProps: { duration: 100 }, shadow: 'none' },
      },
    },
    Popover: { defaultProps: { transitionProps: { duration: 100 }, shadow: 'none' } },
    Modal: {
      defaultProps: { transitionProps: { duration: 120 }, shadow: 'none', centered: true, padding: 24 },
      styles: {
        content: { background: 'var(--paper)' },
        header: { background: 'var(--paper)' },
        title: { fontSize: '1.25rem', fontWeight: 600 },
      },
    },
    // Mantine renders a `header`, which outside of the page's landmarks would be a second banner.
    ModalHeader: { defaultProps: { component: 'div' } },
    Badge: { defaultProps: { variant: 'light', tt: 'none', fw: 400, radius: 4 } },
  },
});

/**
 * Mantine's variables for our tokens. They are set here because Mantine writes its variables after any style sheet.
 */
const mantineVariables = {
  '--mantine-color-body': 'var(--desk)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-soft)',
  '--mantine-color-placeholder': 'var(--ink-soft)',
  '--mantine-color-error': 'var(--harm)',
};

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: mantineVariables,
  dark: mantineVariables,
});

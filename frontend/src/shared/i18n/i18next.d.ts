import type en from './locales/en.json';
import type documents from './locales/documents/en.json';
import type fields from './locales/fields/en.json';
import type findings from './locales/findings/en.json';
import type people from './locales/people/en.json';
import type pictures from './locales/pictures/en.json';
import type templates from './locales/templates/en.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: {
      translation: typeof en &
        typeof documents &
        typeof fields &
        typeof findings &
        typeof people &
        typeof pictures &
        typeof templates;
    };
    returnNull: false;
  }
}

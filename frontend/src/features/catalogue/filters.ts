import type { TemplatesQuery } from '@/api/types';
import {
  choiceFilter,
  filterCodec,
  namesFilter,
  pageFilter,
  textFilter,
  type FilterCodec,
} from '@/shared/listFilters';
import { PAGE_SIZE } from '@/shared/paging';
import { visitorCountry } from '@/shared/preferences';
import { SORT_PARAMETERS, SORTS, type Sort } from '@/shared/templates/sorts';

/** The state of the catalogue, as its URL contains it. */
export interface Filters {
  title: string;
  /** The code of a template language; '' for all. */
  lang: string;
  categories: string[];
  sort: Sort;
  /** The page number, from 1. */
  page: number;
}

/** In a URL `lang=all` means every language. Without `lang` the stored language applies. */
const ALL_LANGUAGES = 'all';

export function catalogueFilters(storedLanguage: string | null): FilterCodec<Filters> {
  return filterCodec<Filters>({
    title: textFilter('title'),
    lang: {
      parameter: 'lang',
      parse: (text) => {
        const lang = text ?? storedLanguage ?? '';
        return lang === ALL_LANGUAGES ? '' : lang;
      },
      format: (lang) => (lang === (storedLanguage ?? '') ? '' : lang || ALL_LANGUAGES),
    },
    categories: namesFilter('cat'),
    sort: choiceFilter('sort', SORTS, 'newest'),
    page: pageFilter,
  });
}

/** `language` is the interface language: its templates come first. */
export function toQuery(filters: Filters, country: string | null, language: string): TemplatesQuery {
  return {
    limit: PAGE_SIZE,
    page: filters.page,
    lang: filters.lang,
    cat: filters.categories.join(','),
    title: filters.title.trim(),
    country: country ?? '',
    languageFirst: language,
    countryFirst: visitorCountry(country, navigator.languages) ?? '',
    ...SORT_PARAMETERS[filters.sort],
  };
}

import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { anonymousApi, responseBody } from '@/api/client';
import type { Category, Country, Language } from '@/api/types';

/** Names rarely change, so each language is loaded once per hour. */
const staleTime = 3_600_000;

export function useLanguages() {
  const lang = useTranslation().i18n.language;
  const { data, ...state } = useQuery({
    queryKey: ['languages', lang],
    queryFn: ({ signal }) =>
      responseBody(anonymousApi.GET('/api/v1/languages', { params: { query: { lang } }, signal })),
    staleTime,
  });
  return { ...state, languages: data?.languages };
}

export function useCountries() {
  const lang = useTranslation().i18n.language;
  const { data, ...state } = useQuery({
    queryKey: ['countries', lang],
    queryFn: ({ signal }) =>
      responseBody(anonymousApi.GET('/api/v1/countries', { params: { query: { lang } }, signal })),
    staleTime,
  });
  return { ...state, countries: data?.countries };
}

/**
 * Returns the categories with their names in every language. Counts change with every publication, so they are
 * loaded more often. `lang` is the code of the language whose templates are counted; '' for all.
 */
export function useCategories(lang = '') {
  const { data, ...state } = useQuery({
    queryKey: ['categories', lang],
    queryFn: ({ signal }) =>
      responseBody(anonymousApi.GET('/api/v1/categories', { params: { query: { lang } }, signal })),
    staleTime: 60_000,
  });
  return { ...state, categories: data?.categories };
}

/**
 * Returns a category's name in a language, or its original name without a translation. A merged category has the
 * name of its target.
 */
export function categoryLabel(name: string, categories: Category[] | undefined, language: string): string {
  const category = categories?.find((category) => category.name === name || category.merged.includes(name));
  return category?.names[language] ?? category?.name ?? name;
}

export function useCategoryLabel(): (name: string) => string {
  const { i18n } = useTranslation();
  const { categories } = useCategories();
  return (name) => categoryLabel(name, categories, i18n.language);
}

/**
 * Returns the name of a language in the interface language, even before the lookup has arrived. It is capitalised
 * for labels and lists: French writes `anglais` only inside a sentence.
 */
export function useLanguageName(): (language: Language) => string {
  const { i18n } = useTranslation();
  return ({ code, name }) => {
    try {
      const localName = new Intl.DisplayNames([i18n.language], { type: 'language' }).of(code) ?? name;
      return localName.slice(0, 1).toLocaleUpperCase(i18n.language) + localName.slice(1);
    } catch {
      return name;
    }
  };
}

/** Returns the name of a country in the interface language; until it is loaded, the name that came with the template. */
export function useCountryName(): (country: Country) => string {
  const { countries } = useCountries();
  return ({ _id, name }) => countries?.find((country) => country._id === _id)?.name ?? name;
}

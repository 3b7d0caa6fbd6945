import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { anonymous, answerOf } from '@/api/client';
import type { Category, Language } from '@/api/types';

/** Names hardly change: they are asked for once an hour and language. */
const staleTime = 3_600_000;

export function useLanguages() {
  const lang = useTranslation().i18n.language;
  const { data, ...state } = useQuery({
    queryKey: ['languages', lang],
    queryFn: ({ signal }) =>
      answerOf(anonymous.GET('/api/v1/languages', { params: { query: { lang } }, signal })),
    staleTime,
  });
  return { ...state, languages: data?.languages };
}

export function useCountries() {
  const lang = useTranslation().i18n.language;
  const { data, ...state } = useQuery({
    queryKey: ['countries', lang],
    queryFn: ({ signal }) =>
      answerOf(anonymous.GET('/api/v1/countries', { params: { query: { lang } }, signal })),
    staleTime,
  });
  return { ...state, countries: data?.countries };
}

/** They come with their names in every language. Their counts move with every publishing, so they are asked for more often. */
export function useCategories() {
  const { data, ...state } = useQuery({
    queryKey: ['categories'],
    queryFn: ({ signal }) => answerOf(anonymous.GET('/api/v1/categories', { signal })),
    staleTime: 60_000,
  });
  return { ...state, categories: data?.categories };
}

/** A category in the language of the interface; one nobody translated stands as it was typed. Merged into another it is that one. */
export function categoryLabel(name: string, categories: Category[] | undefined, language: string): string {
  const known = categories?.find((category) => category.name === name || category.merged.includes(name));
  return known?.names[language] ?? known?.name ?? name;
}

export function useCategoryLabel(): (name: string) => string {
  const { i18n } = useTranslation();
  const { categories } = useCategories();
  return (name) => categoryLabel(name, categories, i18n.language);
}

/**
 * A language in the language of the interface, even before the lookup has answered. It stands alone on labels and in lists,
 * so it begins as a sentence does: French writes `Anglais` there, and `anglais` only inside a sentence.
 */
export function useLanguageName(): (language: Language) => string {
  const { i18n } = useTranslation();
  return ({ code, name }) => {
    try {
      const known = new Intl.DisplayNames([i18n.language], { type: 'language' }).of(code) ?? name;
      return known.slice(0, 1).toLocaleUpperCase(i18n.language) + known.slice(1);
    } catch {
      return name;
    }
  };
}

import { useSearchParams } from 'react-router';

import { parsePage } from './paging';

/** The form of one filter in the query of a list's URL. */
export interface FilterFormat<Value> {
  /** The name of the parameter. */
  parameter: string;
  /** Returns the value of a parameter, and the default for null and for invalid text. */
  parse: (text: string | null) => Value;
  /** Returns the text of a value; '' for the default, which URLs do not contain. */
  format: (value: Value) => string;
}

/** A text, '' by default. */
export function textFilter(parameter: string): FilterFormat<string> {
  return { parameter, parse: (text) => text ?? '', format: (value) => value };
}

/** A list of names, separated by commas. */
export function namesFilter(parameter: string): FilterFormat<string[]> {
  return {
    parameter,
    parse: (text) => (text ?? '').split(',').filter(Boolean),
    format: (names) => names.join(','),
  };
}

/** One of several values. */
export function choiceFilter<Choice extends string, Default extends Choice | null>(
  parameter: string,
  choices: readonly Choice[],
  byDefault: Default,
): FilterFormat<Choice | Default> {
  return {
    parameter,
    parse: (text) => choices.find((known) => known === text) ?? byDefault,
    format: (value) => (value === byDefault || value === null ? '' : value),
  };
}

/** The page number, from 1. */
export const pageFilter: FilterFormat<number> = {
  parameter: 'page',
  parse: parsePage,
  format: (page) => (page > 1 ? String(page) : ''),
};

/** Reads and writes the filters of one list. */
export interface FilterCodec<Filters> {
  parse: (search: URLSearchParams) => Filters;
  /** Returns the query of a URL without defaults, so that URLs stay short and comparable. */
  format: (filters: Filters) => URLSearchParams;
}

/** Creates the codec of a list from the formats of its filters, in the order of the parameters in the URL. */
export function filterCodec<Filters extends object>(formats: {
  [Name in keyof Filters]: FilterFormat<Filters[Name]>;
}): FilterCodec<Filters> {
  const names = Object.keys(formats) as (keyof Filters)[];
  return {
    parse: (search) =>
      Object.fromEntries(
        names.map((name) => [name, formats[name].parse(search.get(formats[name].parameter))]),
      ) as Filters,
    format: (filters) => {
      const search = new URLSearchParams();
      for (const name of names) {
        const text = formats[name].format(filters[name]);
        if (text) search.set(formats[name].parameter, text);
      }
      return search;
    },
  };
}

/** Applies a change. Any change except of the page number leads back to the first page. */
export function applyFilterChange<Filters extends { page: number }>(
  filters: Filters,
  changes: Partial<Filters>,
): Filters {
  return { ...filters, page: 1, ...changes };
}

/** The filters are part of the URL, so that back, reload and a shared link show the same list. */
export function useListFilters<Filters extends { page: number }>(codec: FilterCodec<Filters>) {
  const [search, setSearch] = useSearchParams();
  /** `typing` replaces the URL, so that the history does not get an entry for each letter. */
  const change = (changes: Partial<Filters>, typing = false) =>
    setSearch((now) => codec.format(applyFilterChange(codec.parse(now), changes)), {
      replace: typing,
      preventScrollReset: true,
    });
  return { filters: codec.parse(search), change };
}

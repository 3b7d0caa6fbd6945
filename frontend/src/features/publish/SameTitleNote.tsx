import { Alert } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { api, responseBody } from '@/api/client';
import { foldForSearch } from '@/shared/foldForSearch';
import { templatePath } from '@/shared/paths';

/** The pause after the last key before the catalogue is searched, in milliseconds. */
const TYPING_PAUSE_MS = 400;

interface SameTitleNoteProps {
  title: string;
  /** The edited template, which may keep its title. */
  ownId: string | undefined;
}

/** Warns of other templates with the same title, published or not. It does not prevent publishing. */
export function SameTitleNote({ title, ownId }: SameTitleNoteProps) {
  const { t } = useTranslation();
  const [searched] = useDebouncedValue(title.trim(), TYPING_PAUSE_MS);
  const query = { title: searched, status: 'all', limit: 20 };
  const { data } = useQuery({
    queryKey: ['documents', query],
    enabled: searched !== '',
    queryFn: ({ signal }) => responseBody(api.GET('/api/v1/documents', { params: { query }, signal })),
  });
  const same = data?.data.filter(
    (other) => other._id !== ownId && foldForSearch(other.title) === foldForSearch(title.trim()),
  );
  return (
    <div role="status">
      {same && same.length > 0 && (
        <Alert variant="light" p="sm" mt="xs">
          {t('publish.sameTitle')}
          <ul>
            {same.map(({ _id, title: otherTitle, language }) => (
              <li key={_id}>
                <Link to={templatePath(_id)} target="_blank" lang={language.code}>
                  <bdi>{otherTitle}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </div>
  );
}

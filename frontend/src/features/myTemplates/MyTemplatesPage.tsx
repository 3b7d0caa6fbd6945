import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { api, responseBody } from '@/api/client';
import { CREATE_MY_TEMPLATE_PATH } from '@/shared/paths';
import { MY_TEMPLATES_KEY } from '@/shared/templates/ownTemplates';
import { CardGrid, CardSkeletons } from '@/shared/ui/cards/CardGrid';
import { PlusIcon } from '@/shared/ui/icons';
import { LinkButton } from '@/shared/ui/LinkButton';
import { ListHeader } from '@/shared/ui/ListHeader';
import { ListState } from '@/shared/ui/ListState';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { MyTemplateCard } from './MyTemplateCard';
import classes from './MyTemplatesPage.module.css';

/** The number of placeholders while the list is loading. */
const SKELETONS = 4;

/** The private templates of the user. */
export function MyTemplatesPage() {
  const { t } = useTranslation();
  const results = useRef<HTMLDivElement>(null);
  const query = useQuery({
    queryKey: MY_TEMPLATES_KEY,
    queryFn: ({ signal }) => responseBody(api.GET('/api/v1/my-templates', { signal })),
  });
  const { data } = query;
  const isFull = data !== undefined && data.total >= data.limit;
  usePageTitle(t('myTemplates'));

  return (
    <>
      <ListHeader
        title={t('myTemplates')}
        lead={t('ownTemplates.lead')}
        total={data && t('ownTemplates.total', { total: data.total, limit: data.limit })}
      />
      {data && data.total > 0 && (
        <div className={classes['toolbar']}>
          {isFull ? <p>{t('errors.too_many_templates')}</p> : <CreateLink />}
        </div>
      )}
      <div ref={results} tabIndex={-1} className={classes['results']}>
        <ListState
          query={query}
          failed={t('ownTemplates.failed')}
          skeleton={<CardSkeletons count={SKELETONS} />}
          isEmpty={({ total }) => total === 0}
          empty={<NoTemplates />}
        >
          {({ data: templates }) => (
            <CardGrid label={t('myTemplates')}>
              {templates.map((template) => (
                <MyTemplateCard
                  key={template._id}
                  template={template}
                  // Moves the focus to the list, because the focused card disappears.
                  onDeleted={() => results.current?.focus({ preventScroll: true })}
                />
              ))}
            </CardGrid>
          )}
        </ListState>
      </div>
    </>
  );
}

function CreateLink() {
  const { t } = useTranslation();
  return (
    <LinkButton to={CREATE_MY_TEMPLATE_PATH} leftSection={<PlusIcon />}>
      {t('ownTemplates.create')}
    </LinkButton>
  );
}

/** The empty list: how a private template comes to be, in three steps. */
function NoTemplates() {
  const { t } = useTranslation();
  return (
    <section className={classes['empty']} aria-labelledby="no-templates">
      <h2 id="no-templates">{t('ownTemplates.empty')}</h2>
      <ol>
        <li>{t('publish.stepFile')}</li>
        <li>{t('publish.stepFields')}</li>
        <li>{t('ownTemplates.stepFill')}</li>
      </ol>
      <p>{t('ownTemplates.private')}</p>
      <CreateLink />
    </section>
  );
}

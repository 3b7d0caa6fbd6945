import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { Entrance } from '@/shared/ui/Entrance';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import classes from './LegalPage.module.css';
import { OperatorSection } from './OperatorSection';
import { LOADERS, UPDATED, type LegalName } from './texts';

/** The terms of use or the privacy notice, in the language of the interface. */
export function LegalPage({ text }: { text: LegalName }) {
  const { t, i18n } = useTranslation();
  const locale = useFormattingLocale();
  const title = t(`legal.${text}`);
  usePageTitle(title);
  const { data } = useQuery({
    queryKey: ['legal', i18n.language],
    queryFn: async () => (LOADERS[i18n.language] ?? LOADERS['en'])?.() ?? null,
    staleTime: Infinity,
  });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(UPDATED);

  return (
    <Entrance title={title} lead={t('legal.updated', { date })} wide>
      <div className={classes['text']} aria-busy={!data}>
        {data?.[text].map(({ heading, paragraphs }) => (
          <section key={heading}>
            <h2>{heading}</h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </section>
        ))}
        {data && <OperatorSection />}
      </div>
    </Entrance>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { StandalonePage } from '@/shared/ui/StandalonePage';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import classes from './LegalPage.module.css';
import { OperatorSection } from './OperatorSection';
import { LEGAL_TEXT_LOADERS, LAST_CHANGED, type LegalName } from './texts';

/** The terms of use or the privacy notice, in the language of the interface. */
export function LegalPage({ text }: { text: LegalName }) {
  const { t, i18n } = useTranslation();
  const locale = useFormattingLocale();
  const title = t(`legal.${text}`);
  usePageTitle(title);
  const { data } = useQuery({
    queryKey: ['legal', i18n.language],
    queryFn: async () => (LEGAL_TEXT_LOADERS[i18n.language] ?? LEGAL_TEXT_LOADERS['en'])?.() ?? null,
    staleTime: Infinity,
  });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(LAST_CHANGED);

  return (
    <StandalonePage title={title} lead={t('legal.updated', { date })} isWide>
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
    </StandalonePage>
  );
}

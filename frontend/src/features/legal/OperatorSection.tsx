import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { useSettings } from '@/shared/settings';

import classes from './LegalPage.module.css';

/** Shows an e-mail address or a URL as a link, and any other text as it is. */
function Contact({ contact }: { contact: string }) {
  if (/^https?:\/\//.test(contact)) return <a href={contact}>{contact}</a>;
  if (/^[^\s@]+@[^\s@]+$/.test(contact)) return <a href={`mailto:${contact}`}>{contact}</a>;
  return contact;
}

/** The operator of this site, from the stack's settings (`OperatorName`, `OperatorSeat`, `OperatorContact`). */
export function OperatorSection() {
  const { t } = useTranslation();
  const { operator } = useSettings();
  return (
    <section id="operator">
      <h2>{t('legal.operator')}</h2>
      {operator && (
        <address className={classes['operator']}>
          <bdi>{operator.name}</bdi>
          <bdi>{operator.seat}</bdi>
          <bdi dir="ltr">
            <Contact contact={operator.contact} />
          </bdi>
        </address>
      )}
      {operator === null && (
        <Alert color="red" variant="light" p="sm">
          {t('legal.operatorMissing')}
        </Alert>
      )}
    </section>
  );
}

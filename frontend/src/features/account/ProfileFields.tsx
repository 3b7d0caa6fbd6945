import { Button, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { User } from '@/api/types';
import { INTERFACE_LANGUAGES, NATIVE_NAMES } from '@/shared/i18n/language';
import { useCountries } from '@/shared/lookups';
import { interfaceLanguageStore } from '@/shared/preferences';
import { useStore } from '@/shared/store';
import { filterIgnoringAccents } from '@/shared/ui/filterIgnoringAccents';
import { useEmailHint } from '@/shared/ui/useEmailHint';

import classes from './AccountPage.module.css';
import type { Edits, AccountField } from './edits';

interface ProfileFieldsProps {
  user: User;
  edits: Edits;
  change: (edits: Partial<Edits>) => void;
  onLanguage: (code: string) => void;
  errorOf: (field: AccountField) => ReactNode;
}

/** Fields for name, e-mail address, country and language. */
export function ProfileFields({ user, edits, change, onLanguage, errorOf }: ProfileFieldsProps) {
  const { t } = useTranslation();
  const { emailHint, onEmailFocus, onEmailBlur } = useEmailHint(edits.email ?? '');
  const { countries, isError, refetch } = useCountries();
  return (
    <div className={classes['fields']}>
      <TextInput
        label={t('registerPage.userName')}
        name="userName"
        autoComplete="name"
        error={errorOf('userName')}
        value={edits.userName ?? user.userName}
        onChange={(event) => change({ userName: event.currentTarget.value })}
      />
      <TextInput
        label={t('loginPage.email')}
        description={emailHint ?? t('accountPage.emailHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        type="email"
        name="email"
        autoComplete="email"
        dir="ltr"
        error={errorOf('email')}
        value={edits.email ?? user.email}
        onFocus={onEmailFocus}
        onBlur={onEmailBlur}
        onChange={(event) => change({ email: event.currentTarget.value })}
      />
      {isError ? (
        <Button variant="default" onClick={() => void refetch()} className={classes['retry'] ?? ''}>
          {t('retryOf', { what: t('country') })}
        </Button>
      ) : (
        <Select
          label={t('country')}
          name="country"
          placeholder={t('accountPage.noCountry')}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('accountPage.clearCountry') }}
          filter={filterIgnoringAccents}
          nothingFoundMessage={t('nothingFound')}
          data={(countries ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
          value={countries ? (edits.country === undefined ? (user.country ?? null) : edits.country) : null}
          onChange={(country) => change({ country })}
        />
      )}
      <Select
        label={t('language')}
        name="language"
        allowDeselect={false}
        data={INTERFACE_LANGUAGES.map((code) => ({ value: code, label: NATIVE_NAMES[code] }))}
        // The current language, which the choice in the bar also changes.
        value={useStore(interfaceLanguageStore)}
        onChange={(code) => code && onLanguage(code)}
      />
    </div>
  );
}

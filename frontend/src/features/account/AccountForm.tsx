import { Alert } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';

import type { User } from '@/api/types';
import { isInterfaceLanguage, type InterfaceLanguage } from '@/shared/i18n/language';
import { OTP_PATH } from '@/shared/paths';
import { chooseLanguage, interfaceLanguageStore } from '@/shared/preferences';
import { codeSentState, pendingVerification } from '@/shared/session/pendingVerification';
import { useStore } from '@/shared/store';
import { Isolated } from '@/shared/ui/Isolated';
import { LeaveGuard } from '@/shared/ui/LeaveGuard';

import classes from './AccountPage.module.css';
import { PasswordFields } from './PasswordFields';
import type { PhotoProblem } from './photo';
import { PhotoField } from './PhotoField';
import { ProfileFields } from './ProfileFields';
import { SectionButtons } from './SectionButtons';
import { useAccountSection, type AccountSection, type OpenSection } from './useAccountSection';

interface SectionProps {
  user: User;
  onOpen: (section: OpenSection | null) => void;
}

/** The forms for everything that users may change in their account. Photo, profile and password are saved apart. */
export function AccountForm({ user }: { user: User }) {
  const navigate = useNavigate();
  const openSections = useRef(new Map<AccountSection, OpenSection>());
  const setOpen = (name: AccountSection, section: OpenSection | null) => {
    if (section) openSections.current.set(name, section);
    else openSections.current.delete(name);
  };
  /** True while the page changes to the verification of a new address, which loses no input. */
  const isLeaving = useRef(false);
  return (
    <>
      <LeaveGuard
        hasUnsavedChanges={() => openSections.current.size > 0 && !isLeaving.current}
        onDiscard={() => [...openSections.current.values()].forEach(({ discard }) => discard())}
      />
      <PhotoSection user={user} onOpen={(section) => setOpen('photo', section)} />
      <ProfileSection
        user={user}
        onOpen={(section) => setOpen('profile', section)}
        onCodeSent={() => {
          // Edits of another section would be lost; the page then links to the verification.
          if (openSections.current.has('photo') || openSections.current.has('password')) return;
          isLeaving.current = true;
          void navigate(OTP_PATH, { state: codeSentState() });
        }}
      />
      <PasswordSection user={user} onOpen={(section) => setOpen('password', section)} />
    </>
  );
}

function PhotoSection({ user, onOpen }: SectionProps) {
  const { t } = useTranslation();
  const [problem, setProblem] = useState<PhotoProblem | null>(null);
  const section = useAccountSection({ user, onOpen, onDiscard: () => setProblem(null) });
  return (
    <form {...section.formProps} className={classes['sheet']} aria-labelledby="photo-title">
      <h2 id="photo-title">{t('accountPage.photo')}</h2>
      <PhotoField
        photo={user.photo}
        chosenPhoto={section.edits.photo}
        error={problem ? t(`accountPage.${problem}`) : section.failureAt('photo')}
        onChoose={(photo) => {
          setProblem(null);
          section.change({ photo });
        }}
        onProblem={setProblem}
      />
      <SectionButtons save={t('accountPage.savePhoto')} {...section.buttons} />
    </form>
  );
}

function ProfileSection({ user, onOpen, onCodeSent }: SectionProps & { onCodeSent: () => void }) {
  const { t } = useTranslation();
  /** The interface language before the user chose another in this form; Cancel restores it. */
  const previousLanguage = useRef<InterfaceLanguage | null>(null);
  const section = useAccountSection({
    user,
    onOpen,
    onSaved: (parts, isComplete) => {
      if (parts.includes('profile')) previousLanguage.current = null;
      // The user first corrects what could not be saved; the code can wait.
      if (parts.includes('email') && isComplete) onCodeSent();
    },
    onDiscard: () => {
      if (previousLanguage.current) chooseLanguage(previousLanguage.current);
      previousLanguage.current = null;
    },
  });
  const { edits, change } = section;
  const pending = pendingVerification();

  // The language has one value: a choice elsewhere replaces the unsaved one here.
  const interfaceLanguage = useStore(interfaceLanguageStore);
  useEffect(() => {
    if (edits.language === undefined || edits.language === interfaceLanguage) return;
    previousLanguage.current = null;
    change({ language: undefined });
  }, [edits.language, interfaceLanguage, change]);

  return (
    <form {...section.formProps} className={classes['sheet']} aria-labelledby="profile-title">
      <h2 id="profile-title">{t('accountPage.profile')}</h2>
      {pending?.kind === 'address' && (
        <Alert variant="light" p="sm" mb="md">
          <Trans
            i18nKey="accountPage.pendingAddress"
            components={{
              address: <Isolated dir="ltr" text={pending.newEmail} />,
              enter: <Link to={OTP_PATH} />,
            }}
          />
        </Alert>
      )}
      <ProfileFields
        user={user}
        edits={edits}
        change={change}
        errorOf={section.errorOf}
        onLanguage={(code) => {
          change({ language: code });
          if (!isInterfaceLanguage(code)) return;
          previousLanguage.current ??= interfaceLanguage;
          chooseLanguage(code);
        }}
      />
      <SectionButtons save={t('accountPage.save')} {...section.buttons} />
    </form>
  );
}

function PasswordSection({ user, onOpen }: SectionProps) {
  const { t } = useTranslation();
  const section = useAccountSection({ user, onOpen });
  return (
    <form {...section.formProps} className={classes['sheet']} aria-labelledby="password-title">
      <h2 id="password-title">{t('loginPage.password')}</h2>
      <PasswordFields edits={section.edits} change={section.change} errorOf={section.errorOf} />
      <SectionButtons save={t('accountPage.savePassword')} {...section.buttons} />
    </form>
  );
}

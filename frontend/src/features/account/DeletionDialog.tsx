import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import toast from 'react-hot-toast';
import { Trans, useTranslation } from 'react-i18next';

import { ApiError, hasSessionEnded } from '@/api/error';
import type { User } from '@/api/types';
import { errorText } from '@/shared/i18n/errors';
import { logOutAfterDeletion } from '@/shared/session/session';
import { PasswordField } from '@/shared/ui/PasswordField';
import { Isolated } from '@/shared/ui/Isolated';
import { useCheckedForm } from '@/shared/ui/useCheckedForm';

import classes from './AccountPage.module.css';
import { deleteAccount, sendDeletionCode } from './calls';

interface Proof {
  password: string;
  code: string;
}

/** Explains the deletion of an account, and asks for the password or for a code that is mailed. */
export function DeletionDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation();
  const [method, setMethod] = useState<keyof Proof>('password');

  const sendCode = useMutation({
    mutationFn: sendDeletionCode,
    onSuccess: () => {
      toast.success(t('otpPage.codeSent'));
      switchMethod('code');
    },
    // A code from the last minute is still valid.
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'mail_wait') switchMethod('code');
    },
  });
  const deletion = useMutation({
    mutationFn: (proof: Proof) => deleteAccount({ [method]: proof[method] }),
    onSuccess: logOutAfterDeletion,
    onError: () => form.focusFirstInvalid(),
  });
  const form = useCheckedForm<Proof, 'passwordRequired' | 'codeRequired'>({
    initialValues: { password: '', code: '' },
    findProblems: ({ password, code }) => {
      if (method === 'password') return password ? {} : { password: 'passwordRequired' };
      return code.trim() ? {} : { code: 'codeRequired' };
    },
    problemText: (problem) => t(`ownData.${problem}`),
    onChange: () => deletion.reset(),
    onSubmit: (proof) => deletion.mutate(proof),
  });
  const switchMethod = (other: keyof Proof) => {
    setMethod(other);
    form.clearProblems();
    deletion.reset();
  };

  const isRefused = deletion.error instanceof ApiError && deletion.error.status === 400;
  const refusalText = method === 'password' ? t('ownData.wrongPassword') : t('errors.invalid_otp');
  /** An error that belongs to no field: a limit, an outage, or the last admin. */
  const generalError = [deletion.error, sendCode.error].find(
    (error) => error && !(error === deletion.error && isRefused) && !hasSessionEnded(error),
  );

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('ownData.deleteTitle')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form {...form.formProps}>
        <Stack>
          <div>
            <Text size="sm">{t('ownData.goes')}</Text>
            <ul className={classes['goes']}>
              <li>{t('ownData.goesAccount')}</li>
              <li>{t('ownData.goesDocuments')}</li>
              <li>{t('ownData.goesMessages')}</li>
            </ul>
            <Text size="sm" fw={600}>
              {t('ownData.forEver')}
            </Text>
          </div>
          {method === 'password' ? (
            <PasswordField
              label={t('loginPage.password')}
              autoComplete="current-password"
              data-autofocus
              {...form.inputProps('password')}
              error={form.errorOf('password') ?? (isRefused ? refusalText : null)}
            />
          ) : (
            <TextInput
              key="code"
              label={t('ownData.code')}
              description={
                <Trans
                  i18nKey="otpPage.lead"
                  components={{ address: <Isolated dir="ltr" className="address" text={user.email} /> }}
                />
              }
              inputMode="numeric"
              autoComplete="one-time-code"
              dir="ltr"
              autoFocus
              {...form.inputProps('code')}
              error={form.errorOf('code') ?? (isRefused ? refusalText : null)}
            />
          )}
          <Group gap="xs">
            <Button
              variant="subtle"
              size="compact-sm"
              loading={sendCode.isPending}
              onClick={() => sendCode.mutate(undefined)}
            >
              {method === 'password' ? t('ownData.mailCode') : t('otpPage.resend')}
            </Button>
            {method === 'code' && (
              <Button variant="subtle" size="compact-sm" onClick={() => switchMethod('password')}>
                {t('ownData.usePassword')}
              </Button>
            )}
          </Group>
          {generalError && (
            <Alert color="red" variant="light" role="alert" p="sm">
              {errorText(generalError, t)}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" color="red" loading={deletion.isPending}>
              {t('ownData.deleteForEver')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

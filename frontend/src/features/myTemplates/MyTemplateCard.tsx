import { ActionIcon, Menu } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Template } from '@/api/types';
import { formatDateTime } from '@/shared/i18n/format';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { editMyTemplatePath, newFormPath } from '@/shared/paths';
import { Card } from '@/shared/ui/cards/Card';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { CopyIcon, EditIcon, MoreIcon, TrashIcon } from '@/shared/ui/icons';
import { LinkButton } from '@/shared/ui/LinkButton';

import classes from './MyTemplatesPage.module.css';
import { useMyTemplateActions } from './useMyTemplateActions';

interface MyTemplateCardProps {
  template: Template;
  onDeleted: () => void;
}

/** A private template with its first page and its actions. */
export function MyTemplateCard({ template, onDeleted }: MyTemplateCardProps) {
  const { t } = useTranslation();
  const locale = useFormattingLocale();
  const [isConfirming, setConfirming] = useState(false);
  const { duplicate, remove } = useMyTemplateActions(template, onDeleted);
  const { _id, title, language, thumbnail, smallThumbnail, fields, createdAt, updatedAt } = template;
  const { thumbnailWidth: width, thumbnailHeight: height } = template;
  const fillPath = newFormPath(_id);
  return (
    <>
      <Card
        to={fillPath}
        title={title}
        lang={language.code}
        picture={thumbnail ? { src: thumbnail, small: smallThumbnail, width, height } : null}
        badges={[]}
        facts={[
          updatedAt === createdAt
            ? t('saved.savedOn', { date: formatDateTime(createdAt, locale) })
            : t('saved.updatedOn', { date: formatDateTime(updatedAt, locale) }),
          t('fields', { count: fields.length }),
        ]}
        actions={
          <>
            <LinkButton
              to={fillPath}
              variant="default"
              size="xs"
              aria-label={t('ownTemplates.fillOf', { title })}
            >
              {t('ownTemplates.fill')}
            </LinkButton>
            <LinkButton
              to={editMyTemplatePath(_id)}
              variant="default"
              size="xs"
              leftSection={<EditIcon size={16} />}
              aria-label={t('saved.editOf', { title })}
            >
              {t('saved.edit')}
            </LinkButton>
            <Menu
              position="bottom-end"
              transitionProps={{ duration: 100 }}
              shadow="none"
              withinPortal={false}
              // Mantine's placeholder is not a menu item; the first item gets the focus instead.
              withInitialFocusPlaceholder={false}
              classNames={{ item: classes['item'] ?? '' }}
            >
              <Menu.Target>
                <ActionIcon
                  variant="default"
                  size="input-xs"
                  loading={duplicate.isPending || remove.isPending}
                  aria-label={t('saved.more', { title })}
                >
                  <MoreIcon />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<CopyIcon />} onClick={() => duplicate.mutate()}>
                  {t('saved.duplicate')}
                </Menu.Item>
                <Menu.Item
                  color="var(--harm)"
                  leftSection={<TrashIcon />}
                  onClick={() => setConfirming(true)}
                >
                  {t('saved.delete')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </>
        }
      />
      <ConfirmDialog
        opened={isConfirming}
        title={t('ownTemplates.deleteTitle', { title: `\u2068${title}\u2069` })}
        text={t('ownTemplates.deleteText')}
        confirm={t('saved.delete')}
        cancel={t('cancel')}
        onConfirm={() => {
          setConfirming(false);
          remove.mutate();
        }}
        onCancel={() => setConfirming(false)}
      />
    </>
  );
}

import { createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';

import {
  CREATE_MY_TEMPLATE_PATH,
  CREATE_TEMPLATE_PATH,
  MY_TEMPLATES_PATH,
  TEMPLATES_PATH,
} from '@/shared/paths';

/** The templates that the form is for: those of the catalogue, which admins publish, or the user's own private ones. */
export type TemplateArea = 'catalogue' | 'own';

const AreaContext = createContext<TemplateArea>('catalogue');
export const TemplateAreaProvider = AreaContext.Provider;

export function useTemplateArea(): TemplateArea {
  return useContext(AreaContext);
}

const PATHS = {
  catalogue: { list: TEMPLATES_PATH, create: CREATE_TEMPLATE_PATH },
  own: { list: MY_TEMPLATES_PATH, create: CREATE_MY_TEMPLATE_PATH },
} as const;

/** Returns the paths of the list and of the form. */
export function useAreaPaths() {
  return PATHS[useTemplateArea()];
}

/** Returns the texts that differ between the two areas. */
export function useAreaTexts() {
  const { t } = useTranslation();
  const isOwn = useTemplateArea() === 'own';
  return isOwn
    ? {
        title: t('ownTemplates.createTitle'),
        lead: t('ownTemplates.createLead'),
        editTitle: t('ownTemplates.editTitle'),
        toList: t('ownTemplates.toList'),
        lastStep: t('ownTemplates.stepSave'),
        confirm: t('ownTemplates.save'),
        created: t('ownTemplates.saved'),
        updated: t('ownTemplates.saved'),
        creationFailed: t('ownTemplates.saveFailed'),
        updateFailed: t('ownTemplates.saveFailed'),
        refused: t('ownTemplates.refused'),
        noFieldsHint: t('ownTemplates.noFieldsHint'),
        changedElsewhere: t('ownTemplates.changedElsewhere'),
        leaveTitle: t('ownTemplates.leaveTitle'),
        leaveText: t('publish.leaveText', { create: t('ownTemplates.create') }),
      }
    : {
        title: t('publish.title'),
        lead: t('publish.lead'),
        editTitle: t('publish.editTitle'),
        toList: t('templates.toAll'),
        lastStep: t('publish.stepPublish'),
        confirm: t('publish.confirm'),
        created: t('publish.created'),
        updated: t('publish.updated'),
        creationFailed: t('publish.documentCreationFailed'),
        updateFailed: t('publish.documentUpdateFailed'),
        refused: t('publish.refused'),
        noFieldsHint: t('publish.noFieldsHint'),
        changedElsewhere: t('publish.changedElsewhere'),
        leaveTitle: t('publish.leaveTitle'),
        leaveText: t('publish.leaveText', { create: t('createDocument') }),
      };
}

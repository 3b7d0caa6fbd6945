import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';

import { structureIn, withStructure } from '@/shared/fields/fieldSettings';

import { listToSend } from '../categories';
import { overridesToSend } from '../fieldSettings';
import { sendCheck, sendNewTemplate } from '../templateCalls';
import { createFileQueue, type FileQueue, type QueueCalls, type SharedSettings } from './fileQueue';

const ignoreProgress = { onProgress: () => undefined };

async function sha256(file: File): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function queueCalls(queryClient: QueryClient): QueueCalls {
  return {
    digest: sha256,
    check: async (file, title, signal) => {
      const { findings, fieldHelp, language, heading, program, ...response } = await sendCheck(
        'catalogue',
        file,
        { title },
        { ...ignoreProgress, signal },
      );
      return {
        settings: withStructure(fieldHelp, structureIn(response)),
        errors: findings.filter(({ severity }) => severity === 'error'),
        language: language ?? null,
        heading: heading ?? null,
        program: program ?? null,
      };
    },
    publish: async ({ file, title, language, overrides, checked }, settings, idempotencyKey) => {
      const texts = {
        title: title.trim(),
        categories: listToSend(settings.categories),
        keywords: listToSend(settings.keywords),
        language: language ?? '',
        country: settings.country ?? '',
        fieldHelp:
          overrides && checked ? JSON.stringify(overridesToSend(checked.settings, overrides)) : undefined,
      };
      const { document } = await sendNewTemplate('catalogue', file, texts, {
        ...ignoreProgress,
        idempotencyKey,
      });
      void queryClient.invalidateQueries({ queryKey: ['documents'] });
      void queryClient.invalidateQueries({ queryKey: ['categories'] });
      return document._id;
    },
  };
}

const NO_SETTINGS: SharedSettings = { categories: '', keywords: '', country: null };

/** The list of files of a page, and the settings that its files share. */
export interface Files {
  queue: FileQueue;
  settings: SharedSettings;
  changeSettings: (changes: Partial<SharedSettings>) => void;
}

/** Returns a list of files that works as long as the page is open. */
export function useFileQueue(): Files {
  const queryClient = useQueryClient();
  const [queue] = useState(() => createFileQueue(queueCalls(queryClient)));
  const [settings, setSettings] = useState(NO_SETTINGS);
  useEffect(() => {
    queue.start();
    return queue.stop;
  }, [queue]);
  return { queue, settings, changeSettings: (changes) => setSettings((now) => ({ ...now, ...changes })) };
}

/** Returns the current state of a list of files. */
export function useQueueState(queue: FileQueue) {
  return useSyncExternalStore(queue.subscribe, queue.get);
}

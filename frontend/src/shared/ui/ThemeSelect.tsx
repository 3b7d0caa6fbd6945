import { Select, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const SCHEMES: readonly MantineColorScheme[] = ['auto', 'light', 'dark'];

/** The choice between the light and the dark theme, or that of the system. Mantine stores it in this browser. */
export function ThemeSelect() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Select
      aria-label={t('theme.label')}
      w={176}
      size="xs"
      allowDeselect={false}
      comboboxProps={{ position: 'top' }}
      data={SCHEMES.map((scheme) => ({ value: scheme, label: t(`theme.${scheme}`) }))}
      value={colorScheme}
      onChange={(chosen) => setColorScheme(SCHEMES.find((scheme) => scheme === chosen) ?? 'auto')}
    />
  );
}

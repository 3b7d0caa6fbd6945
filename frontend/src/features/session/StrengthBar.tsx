import { useTranslation } from 'react-i18next';

import classes from './StrengthBar.module.css';
import { STRENGTHS, passwordStrength } from './passwordStrength';

/** The strength of a new password, as a bar of five segments and as a word. */
export function StrengthBar({ password, id }: { password: string; id: string }) {
  const { t } = useTranslation();
  const { points, strength } = passwordStrength(password);
  return (
    <div className={classes['strength']} data-strength={password ? strength : undefined}>
      <div className={classes['bar']} aria-hidden="true">
        {STRENGTHS.map((step, index) => (
          <span key={step} data-on={(password && index < Math.max(1, points)) || undefined} />
        ))}
      </div>
      <p id={id} aria-live="polite">
        {password ? t(`password.${strength}`) : t('password.rule')}
      </p>
    </div>
  );
}

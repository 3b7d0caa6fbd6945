import type { ReactNode } from 'react';

import { Brand } from './Brand';
import classes from './StandalonePage.module.css';
import { LanguageSelect } from './LanguageSelect';
import { LegalLinks } from './LegalLinks';

interface StandalonePageProps {
  title: string;
  lead?: ReactNode;
  /** True for a page with text, false for a form. */
  isWide?: boolean;
  children: ReactNode;
  /** Links below the sheet. */
  below?: ReactNode;
}

/**
 * The frame of pages without the menu, such as the login and the legal pages: one sheet, and the choice of language.
 */
export function StandalonePage({ title, lead, isWide, children, below }: StandalonePageProps) {
  return (
    <div className={classes['page']}>
      <header className={classes['bar']}>
        <Brand />
        <LanguageSelect />
      </header>
      <main className={classes['middle']}>
        <section
          className={classes['sheet']}
          data-wide={isWide || undefined}
          aria-labelledby="entrance-title"
        >
          <header className={classes['header']}>
            <h1 id="entrance-title">{title}</h1>
            {lead && <p className={classes['lead']}>{lead}</p>}
          </header>
          {children}
        </section>
        {below && <div className={classes['below']}>{below}</div>}
      </main>
      <footer className={classes['foot']}>
        <LegalLinks />
      </footer>
    </div>
  );
}

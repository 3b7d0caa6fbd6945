import { VisuallyHidden } from '@mantine/core';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, useNavigate } from 'react-router';

import { mayLeave } from '@/shared/leaving';
import {
  CATALOGUE_PATH,
  DASHBOARD_PATH,
  HELP_PATH,
  HOME_PATH,
  LOGIN_PATH,
  MESSAGES_PATH,
  MY_TEMPLATES_PATH,
  SAVED_DOCUMENTS_PATH,
  TEMPLATES_PATH,
  USERS_PATH,
  accountPath,
} from '@/shared/paths';
import { logOut, type Session } from '@/shared/session/session';
import { Avatar } from '@/shared/ui/Avatar';
import {
  ChartIcon,
  DocumentsIcon,
  EditIcon,
  FolderIcon,
  HelpIcon,
  HomeIcon,
  LogoutIcon,
  MailIcon,
  PeopleIcon,
  SettingsIcon,
} from '@/shared/ui/icons';

import classes from './Sidebar.module.css';

interface SidebarProps {
  session: Session;
  /** On narrow screens the button in the bar opens the menu. */
  open: boolean;
  onNavigate: () => void;
}

/** The menu of a logged-in user. The role only selects its entries. */
export function Sidebar({ session, open, onNavigate }: SidebarProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const handleLogout = async () => {
    if (!(await mayLeave())) return;
    // The page may redirect when the user becomes a guest; the navigation to the login comes after it.
    flushSync(logOut);
    void navigate(LOGIN_PATH);
  };
  return (
    <nav
      className={classes['sidebar']}
      data-open={open || undefined}
      aria-label={t('mainNavigation')}
      onClick={onNavigate}
    >
      <ul>
        <li>
          {/* Never marked as the current page: it leads to the catalogue, which has its own entry. */}
          <Link to={HOME_PATH} className={classes['entry'] ?? ''}>
            <HomeIcon size={20} />
            {t('home')}
          </Link>
        </li>
        {session.user.role === 'admin' && (
          <li>
            <NavLink to={DASHBOARD_PATH} end className={classes['entry'] ?? ''}>
              <ChartIcon size={20} />
              {t('adminMenu.dashboard')}
            </NavLink>
          </li>
        )}
        {session.user.role === 'admin' ? (
          <li>
            <NavLink to={TEMPLATES_PATH} className={classes['entry'] ?? ''}>
              <DocumentsIcon size={20} />
              {t('documents')}
            </NavLink>
          </li>
        ) : (
          <>
            <li>
              <NavLink to={CATALOGUE_PATH} className={classes['entry'] ?? ''}>
                <DocumentsIcon size={20} />
                {t('allDocuments')}
              </NavLink>
            </li>
            <li>
              <NavLink to={SAVED_DOCUMENTS_PATH} className={classes['entry'] ?? ''}>
                <FolderIcon size={20} />
                {t('saved.title')}
              </NavLink>
            </li>
            <li>
              <NavLink to={MY_TEMPLATES_PATH} className={classes['entry'] ?? ''}>
                <EditIcon size={20} />
                {t('myTemplates')}
              </NavLink>
            </li>
          </>
        )}
        {session.user.role === 'admin' && (
          <>
            <li>
              <NavLink to={USERS_PATH} className={classes['entry'] ?? ''}>
                <PeopleIcon size={20} />
                {t('adminMenu.users')}
              </NavLink>
            </li>
            <li>
              <NavLink to={MESSAGES_PATH} className={classes['entry'] ?? ''}>
                <MailIcon size={20} />
                {t('adminMenu.messages')}
              </NavLink>
            </li>
          </>
        )}
        <li>
          <NavLink to={accountPath(session.user.role)} className={classes['entry'] ?? ''}>
            <SettingsIcon size={20} />
            {t('accountSettings')}
          </NavLink>
        </li>
        {session.user.role !== 'admin' && (
          <li>
            <NavLink to={HELP_PATH} className={classes['entry'] ?? ''}>
              <HelpIcon size={20} />
              {t('helpCenter')}
            </NavLink>
          </li>
        )}
      </ul>
      <div className={classes['account']}>
        <div className={classes['person']}>
          <Avatar photo={session.user.photo} size={36} />
          <p>
            <VisuallyHidden>{t('loggedInAs', { name: '' })}</VisuallyHidden>
            <bdi>{session.user.name || session.user.userName}</bdi>
            <span dir="ltr" title={session.user.email}>
              {session.user.email}
            </span>
          </p>
        </div>
        <button type="button" className={classes['entry']} onClick={() => void handleLogout()}>
          <LogoutIcon size={20} />
          {t('logout')}
        </button>
      </div>
    </nav>
  );
}

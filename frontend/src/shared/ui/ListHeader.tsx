import classes from './ListHeader.module.css';

interface ListHeaderProps {
  title: string;
  /** The description of the list. */
  lead: string;
  /** The number of items, once known. */
  total: string | undefined;
}

/** The header of a list: title, description and number of items. */
export function ListHeader({ title, lead, total }: ListHeaderProps) {
  return (
    <header className={classes['header']}>
      <div>
        <h1>{title}</h1>
        <p className={classes['lead']}>{lead}</p>
      </div>
      <p className={classes['total']} role="status">
        {total}
      </p>
    </header>
  );
}

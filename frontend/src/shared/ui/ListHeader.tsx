import classes from './ListHeader.module.css';

interface ListHeaderProps {
  title: string;
  /** What the list is. */
  lead: string;
  /** How many there are, once that is known. */
  total: string | undefined;
}

/** The top of a list: what it is, and how much is in it. */
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

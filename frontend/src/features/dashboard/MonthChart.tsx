import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';

import type { MonthPoint } from './months';

/** The colours of the specification (§9): black for users, grey for downloads, on white in dark mode too. */
const COLOURS = { users: '#000000', downloads: '#808080' } as const;
const INK = '#1b2430';

interface MonthChartProps {
  points: MonthPoint[];
  line: keyof typeof COLOURS;
  /** The name of the counted items, for the tooltip. */
  label: string;
  rtl: boolean;
  format: (value: number) => string;
}

interface MonthTickProps {
  x?: number | string;
  y?: number | string;
  payload?: { value: string };
}

/** The label of a month, with the year below it, so that twelve labels fit beside each other. */
function MonthTick({ x, y, payload }: MonthTickProps) {
  const [month, year] = (payload?.value ?? '').split(/\s(?=\S+$)/);
  return (
    <text x={x} y={y} textAnchor="middle" fill={INK} fontSize={11}>
      <tspan x={x} dy="0.8em">
        {month}
      </tspan>
      <tspan x={x} dy="1.3em">
        {year}
      </tspan>
    </text>
  );
}

/**
 * A line over the months, hidden from screen readers because the table next to it has the same numbers. Time runs
 * in reading direction.
 */
export default function MonthChart({ points, line, label, rtl, format }: MonthChartProps) {
  return (
    <div aria-hidden="true" dir="ltr">
      <ResponsiveContainer width="100%" height={300}>
        <LineChart
          data={points}
          accessibilityLayer={false}
          margin={{ top: 16, right: 24, bottom: 8, left: 24 }}
        >
          <CartesianGrid stroke="#e3e8ed" vertical={false} />
          <XAxis
            dataKey="name"
            reversed={rtl}
            tick={MonthTick}
            tickMargin={8}
            height={44}
            stroke="#7f8b98"
            interval={0}
          />
          <YAxis
            allowDecimals={false}
            orientation={rtl ? 'right' : 'left'}
            tick={{ fill: INK, fontSize: 12 }}
            tickFormatter={format}
            stroke="#7f8b98"
            width="auto"
          />
          <Tooltip
            formatter={(value) => [format(Number(value)), label]}
            contentStyle={{ color: INK, borderRadius: 8, direction: rtl ? 'rtl' : 'ltr' }}
            itemStyle={{ color: INK }}
          />
          <Line
            type="monotone"
            dataKey="value"
            name={label}
            stroke={COLOURS[line]}
            strokeWidth={3}
            dot={false}
            activeDot={false}
            isAnimationActive={false}
          />
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
}

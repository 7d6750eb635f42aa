/** RFC 3339 by hand: `YYYY-MM-DDThh:mm:ss[.fraction](Z|±hh:mm)` and a date that exists. */

function digits(text: string): number | undefined {
  if (text === '') return undefined;
  let value = 0;
  for (const letter of text) {
    if (letter < '0' || letter > '9') return undefined;
    value = value * 10 + '0123456789'.indexOf(letter);
  }
  return value;
}

function isLeapYear(year: number): boolean {
  if (year % 400 === 0) return true;
  return year % 100 !== 0 && year % 4 === 0;
}

function daysIn(month: number, year: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Days since year 0, counted one year and one month at a time. */
function dayNumber(year: number, month: number, day: number): number {
  let days = year * 365 + Math.ceil(year / 4) - Math.ceil(year / 100) + Math.ceil(year / 400);
  for (let earlier = 1; earlier < month; earlier += 1) days += daysIn(earlier, year);
  return days + day - 1;
}

/** Minutes ahead of UTC. */
function zoneMinutes(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const [sign, hours, colon, minutes] = [zone.slice(0, 1), zone.slice(1, 3), zone.slice(3, 4), zone.slice(4)];
  const [h, m] = [digits(hours), digits(minutes)];
  if (zone.length !== 6 || colon !== ':' || h === undefined || m === undefined || h > 23 || m > 59) return undefined;
  if (sign === '+') return h * 60 + m;
  return sign === '-' ? -(h * 60 + m) : undefined;
}

/** What follows the seconds: milliseconds and the zone. */
function ending(rest: string): { ms: number; zone: number } | undefined {
  let [fraction, zoneText] = ['0', rest];
  if (rest.startsWith('.')) {
    const end = [...rest].findIndex((letter, index) => index > 0 && digits(letter) === undefined);
    if (end < 2) return undefined;
    [fraction, zoneText] = [rest.slice(1, end), rest.slice(end)];
  }
  const zone = zoneMinutes(zoneText);
  return zone === undefined ? undefined : { ms: Number(fraction.padEnd(3, '0').slice(0, 3)), zone };
}

/** Milliseconds since year 0, so that two moments can be compared; undefined when the text is no moment. */
export function momentMs(text: string): number | undefined {
  const marks = [text[4], text[7], text[10]?.toUpperCase(), text[13], text[16]].join('');
  if (marks !== '--T::') return undefined;
  const parts = [text.slice(0, 4), text.slice(5, 7), text.slice(8, 10), text.slice(11, 13), text.slice(14, 16)];
  const [year, month, day, hour, minute] = parts.map(digits);
  const second = digits(text.slice(17, 19));
  const end = ending(text.slice(19));
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (hour === undefined || minute === undefined || second === undefined || end === undefined) return undefined;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(month, year)) return undefined;
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const minutes = dayNumber(year, month, day) * 24 * 60 + hour * 60 + minute - end.zone;
  // A leap second is only ever the last one of a UTC day.
  if (second === 60 && (((minutes + 1) % 1440) + 1440) % 1440 !== 0) return undefined;
  return (minutes * 60 + second) * 1000 + end.ms;
}

/** The two formats the contracts use. Both are asserted; both take time linear in the text. */

const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}):(\d{2}))$/;

const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** RFC 3339 with a zone and a date that exists. A 60th second is a leap second: only at the end of a UTC day. */
export function isDateTime(text: string): boolean {
  const match = RFC3339.exec(text);
  if (!match) return false;
  const [year, month, day, hour, minute, second, zoneHour, zoneMinute] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  if (!isDate(year as number, month as number, day as number)) return false;
  if ((hour as number) > 23 || (minute as number) > 59 || (zoneHour as number) > 23 || (zoneMinute as number) > 59) {
    return false;
  }
  return (second as number) < 60 || ((second as number) === 60 && endsUtcDay(text));
}

/** Milliseconds since 1970 of a text that is a date-time. A leap second counts as the first second of the next day. */
export function dateTimeMs(text: string): number {
  const upper = text.toUpperCase();
  return /:60(?=[.Z+-])/.test(upper) ? Date.parse(upper.replace(/:60(?:\.\d+)?/, ':59')) + 1000 : Date.parse(upper);
}

function isDate(year: number, month: number, day: number): boolean {
  const days = DAYS_OF_MONTH[month - 1];
  if (days === undefined || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (month === 2 && leap ? 29 : days);
}

function endsUtcDay(text: string): boolean {
  const lastSecond = Date.parse(text.replace(/:60/, ':59').toUpperCase());
  return new Date(lastSecond).toISOString().slice(11, 19) === '23:59:59';
}

/** Keyed as JSON Schema spells them; the generated validators look formats up here. */
export const formats = { uuid: isUuid, 'date-time': isDateTime } as const;

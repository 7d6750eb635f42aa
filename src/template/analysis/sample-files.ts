import { createScrub } from '../../engine/scrub.js';
import { plainText } from '../answer/plain-text.js';
import { isCode } from '../project/languages.js';
import { isSampled } from '../project/left-out.js';
import type { Project, ProjectFile } from '../project/project.js';
import { readText } from '../project/read-text.js';
import { chooseFiles, rankFiles } from './choose-files.js';
import type { CodebaseAnalysis } from './codebase-analysis.js';
import { maskNamedValues } from './mask-named-values.js';
import { MANIFESTS } from './technologies.js';
import { tokensOf, truncated } from './tokens.js';

/** A file as it may be shown to an agent. */
export type Sample = {
  path: string;
  /** Without secrets. */
  text: string;
  language: string | null;
  /** Its end is not there. */
  cut: boolean;
};

export type SampleOptions = {
  tokensMax?: number;
  /** Takes secrets out, known by value too; without it those known by their shape. */
  scrub?: (text: string) => string;
};

export const SAMPLE_TOKENS_MAX = 18_000;
const FILE_TOKENS_MAX = 2_500;
const FILES_MAX = 40;
const MANIFESTS_SHOWN = 2;
/** A secret that begins before a cut must be seen whole. */
const BEYOND_CUT_BYTES = 16 * 1024;
/** Nobody writes lines that long. */
const LINE_LENGTH_MAX = 1_000;
const BYTES_PER_TOKEN = 4;
/** What the frame around a file takes in a prompt. */
const FRAME_TOKENS = 40;
const WORTH_TOKENS = 100;

/** The files that show most, as many as fit. Only these are read. */
export async function sampleFiles(
  project: Project,
  analysis: CodebaseAnalysis,
  { tokensMax = SAMPLE_TOKENS_MAX, scrub = createScrub([]) }: SampleOptions = {},
): Promise<Sample[]> {
  const samples: Sample[] = [];
  let left = tokensMax;
  const fileMax = Math.min(FILE_TOKENS_MAX, Math.floor(tokensMax / 4));
  for (const file of candidates(project, analysis)) {
    const room = Math.min(left - FRAME_TOKENS, fileMax);
    if (samples.length >= FILES_MAX || room < WORTH_TOKENS) break;
    const sample = readSample(project, file, room, scrub);
    if (sample === undefined) continue;
    samples.push(sample);
    left -= tokensOf(sample.text) + FRAME_TOKENS;
  }
  return samples;
}

/** First what the project says of itself, then what an analysis named, then file by file what is not shown yet. */
function candidates({ files }: Project, { exemplars, patterns, layers, primary_language }: CodebaseAnalysis) {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const manifests = files.filter(({ path }) => isManifest(path)).slice(0, MANIFESTS_SHOWN);
  const named = (exemplars ?? []).flatMap((path) => byPath.get(path) ?? []);
  const names = (layers ?? []).map(({ name }) => name);
  const ranked = rankFiles(files, primary_language);
  const chosen = chooseFiles(ranked, patterns, names, FILES_MAX * 2);
  // A project of texts alone is shown by its texts.
  const texts = ranked.length > 0 ? [] : files.filter(({ role, bytes }) => role !== 'asset' && bytes > 0);
  return new Set([...manifests, ...named, ...chosen, ...texts].filter(({ path }) => isSampled(path)));
}

function isManifest(path: string): boolean {
  return !path.includes('/') && MANIFESTS.some(({ names }) => names.test(path));
}

function readSample(
  project: Project,
  { path, language }: ProjectFile,
  tokensMax: number,
  scrub: (text: string) => string,
): Sample | undefined {
  const bytesMax = tokensMax * BYTES_PER_TOKEN;
  const read = readText(project, path, bytesMax + BEYOND_CUT_BYTES);
  if (read === undefined || read.text.trim() === '' || hasLongLine(read.text)) return undefined;
  const clean = plainText(maskNamedValues(scrub(read.text), isCode(language)));
  const { text, cut } = truncated(clean, bytesMax);
  return { path, text, language, cut: cut || read.cut };
}

function hasLongLine(text: string): boolean {
  return text.split('\n').some((line) => line.length > LINE_LENGTH_MAX);
}

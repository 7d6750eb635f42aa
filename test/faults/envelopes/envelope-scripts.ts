/** What one kind of envelope meets on its way: what agents say to each pass of a stage, and a person to what is asked. */
export type Script = {
  /** Of each stage the answers in their order; whoever is asked more often says the last again. */
  answers: Readonly<Record<string, readonly [object, ...object[]]>>;
  /** What is said when the first answer of a stage was not what was agreed. */
  repairs: Readonly<Record<string, object>>;
  /** Whether what is to be done is agreed to. */
  agrees: boolean;
};

/** Stands for the name of the envelope in what agents say. */
export const THIS_ENVELOPE = '@ENVELOPE@';
export const CLARIFIED = 'The second one';
export const LOOKS = 'look_slowly';
export const WRITES = 'write_line';

const perception = { normalized_input: 'what is meant' };
const intent = { intent: 'explain', goals: ['one', 'two'] };
const unclear = {
  ...{ intent: 'explain', goals: [], clarification_needed: true },
  clarification_question: 'Which one is meant?',
};
const integration = {
  final_response: 'It is so',
  citations: [{ text: 'A project', location: 'README.md:1' }],
};
const approved = { verdict: 'approved', satisfied_goals: ['one', 'two'] };
const sentBack = { verdict: 'reintent', feedback: 'Look elsewhere' };
const half = { verdict: 'next_stage', satisfied_goals: ['one'], feedback: 'One is there' };

const looking = { tool: LOOKS, params: {} };
const reading = { tool: 'read_file', params: { path: 'result.txt' } };

function plan(plan_id: string, ...more: readonly object[]): object {
  return { plan_id, steps: [reading, looking, ...more] };
}

/** Says who wants it, so that it is seen how often that was done. */
function writing(plan_id: string): object {
  return { tool: WRITES, params: { envelope: THIS_ENVELOPE, plan: plan_id } };
}

function script({ answers = {}, repairs = {}, agrees = true }: Partial<Script> = {}): Script {
  const usual = { perception: [perception], intent: [intent], plan: [plan('p1')], critic: [approved] } as const;
  return { answers: { ...usual, integration: [integration], ...answers }, repairs, agrees };
}

export const SCRIPTS: Readonly<Record<string, Script>> = {
  plain: script(),
  clarified: script({ answers: { intent: [unclear, intent] } }),
  repaired: script({ answers: { plan: [{ steps: [] }] }, repairs: { plan: plan('p1') } }),
  back: script({ answers: { plan: [plan('p1'), plan('p2')], critic: [sentBack, approved] } }),
  halves: script({ answers: { plan: [plan('p1'), plan('p2')], critic: [half, approved] } }),
  risky: script({ answers: { plan: [plan('p1', writing('p1'))] } }),
  denied: script({ answers: { plan: [plan('p1', writing('p1'))] }, agrees: false }),
  everything: script({
    answers: {
      intent: [unclear, intent],
      plan: [plan('p1', writing('p1')), { steps: [] }, plan('p3')],
      critic: [sentBack, half, approved],
    },
    repairs: { plan: plan('p2', writing('p2')) },
  }),
};

import { useEffect, useState } from 'react';
import { BatonError } from '../../client/index.js';
import { Mark } from '../frame/mark.js';
import { client } from '../live/client.js';
import { keepProof } from '../live/proof.js';
import { CommandLine } from '../parts/command-line.js';

/** Asked for once, however often it is drawn: a code works once. */
let asked: Promise<void> | undefined;

async function logIn(): Promise<void> {
  const code = location.hash.slice(1);
  // It is no longer needed, and has no business in the history of the browser.
  history.replaceState(null, '', '/login');
  const { proof } = await client.console.logIn(code);
  keepProof(proof);
}

export function LogInPage() {
  const [problem, setProblem] = useState<string | null>(location.hash === '' && !asked ? '' : null);
  useEffect(() => {
    if (problem !== null) return;
    asked ??= logIn();
    asked.then(
      () => location.replace('/inbox'),
      (failure) => setProblem(failure instanceof BatonError ? failure.message : 'the server did not answer'),
    );
  }, [problem]);
  return (
    <main className="lone">
      <div className="brand lone-brand">
        <Mark />
        Baton
      </div>
      <h1>Log in to Baton</h1>
      {problem === null && <p className="t2">One moment.</p>}
      {problem !== null && (
        <>
          {problem !== '' && <p role="alert">It did not work: {problem}.</p>}
          <p className="t2">A link logs a browser in, once and within a minute. Make one where Baton runs:</p>
          <CommandLine command="baton console" />
        </>
      )}
    </main>
  );
}

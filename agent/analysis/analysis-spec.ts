import { type AnalysisTables, ENGLISH_TABLES } from './tables';

/** How the answers of an agent are analysed. */
export interface ResponseAnalysis {
  /** Replace the English tables, one by one: for another language, or for what an agent's answers look like. */
  tables?: Partial<AnalysisTables>;
  /**
   * The model is told, once in an exchange, when its answer claims a change but no tool with an effect other than `read`
   * was called. Default `false`.
   */
  claims?: boolean;
}

/** The same as a run pins it. */
export interface AnalysisSpec {
  tables: AnalysisTables;
  claims?: true;
}

/** How the answers are analysed; `undefined`: they are not. On by default for small models. */
export function analysisSpec(
  setting: boolean | ResponseAnalysis | undefined,
  modelClass: 'small' | undefined,
): AnalysisSpec | undefined {
  const isOn = setting ?? modelClass === 'small';
  if (isOn === false) return undefined;
  const { tables = {}, claims = false } = isOn === true ? {} : isOn;
  return { tables: { ...ENGLISH_TABLES, ...tables }, ...(claims ? { claims } : {}) };
}

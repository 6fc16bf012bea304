"""Classes of Weka 3.9.7 and of Java that a saved J48 is made of, as streams describe them."""

from __future__ import annotations

from j48geo.core.j48_options import J48_SCHEME
from j48geo.java.objects import JavaClass

_class = JavaClass.of
_J48 = "weka.classifiers.trees.j48."
_TEXT = "Ljava/lang/String;"
_TREE = "Lweka/classifiers/trees/j48/ClassifierTree;"

# -------------------------------------------------------------------- Java's own

NUMBER_CLASS = _class("java.lang.Number", 0x86AC951D0B94E08B)
INTEGER = _class("java.lang.Integer", 0x12E2A0A4F7818738, "I value", NUMBER_CLASS)
DOUBLE = _class("java.lang.Double", 0x80B3C24A296BFB04, "D value", NUMBER_CLASS)
ARRAY_LIST = _class("java.util.ArrayList", 0x7881D21D99C7619D, "I size", writes=True)
HASHTABLE = _class(
    "java.util.Hashtable", 0x13BB0F25214AE4B8, "F loadFactor I threshold", writes=True
)
HASH_MAP = _class("java.util.HashMap", 0x507DAC1C31660D1, "F loadFactor I threshold", writes=True)
FILE_CLASS = _class("java.io.File", 0x42DA4450E0DE4FF, f"{_TEXT} path", writes=True)
TEXTS = _class("[Ljava.lang.String;", 0xADD256E7E91D7B47)
OBJECTS = _class("[Ljava.lang.Object;", 0x90CE589F1073296C)
OBJECTS_2D = _class("[[Ljava.lang.Object;", 0x18BFFB53E46BDBCA)
DOUBLES_2D = _class("[[D", 0xC7AD0BFF6467FF45)

# -------------------------------------------------------------------- data

INSTANCES_CLASS = _class(
    "weka.core.Instances",
    0xFFBB08933465A9A4,
    "I m_ClassIndex I m_Lines Ljava/util/ArrayList; m_Attributes Ljava/util/ArrayList; "
    f"m_Instances Ljava/util/HashMap; m_NamesToAttributeIndices {_TEXT} m_RelationName",
)
ATTRIBUTE_CLASS = _class(
    "weka.core.Attribute",
    0xF5B33EB4797A2561,
    "I m_Index I m_Type D m_Weight Lweka/core/AttributeInfo; m_AttributeInfo "
    f"Lweka/core/AttributeMetaInfo; m_AttributeMetaInfo {_TEXT} m_Name",
)
NOMINAL_INFO = _class(
    "weka.core.NominalAttributeInfo",
    0xC67DB0CCF180D77D,
    "Ljava/util/Hashtable; m_Hashtable Ljava/util/ArrayList; m_Values",
)
DATE_INFO = _class(
    "weka.core.DateAttributeInfo", 0xFDEA83217A38B9CF, "Ljava/text/SimpleDateFormat; m_DateFormat"
)

# -------------------------------------------------------------------- trees

CLASSIFIER = _class(
    "weka.classifiers.AbstractClassifier",
    0x5A3E8421BD26234D,
    f"Z m_Debug Z m_DoNotCheckCapabilities I m_numDecimalPlaces {_TEXT} m_BatchSize",
)
J48_CLASS = _class(
    J48_SCHEME,
    0xFCFA74D642139664,
    "F m_CF I m_Seed Z m_binarySplits Z m_collapseTree Z m_doNotMakeSplitPointActualValue "
    "I m_minNumObj Z m_noCleanup I m_numFolds Z m_reducedErrorPruning Z m_subtreeRaising "
    f"Z m_unpruned Z m_useLaplace Z m_useMDLcorrection {_TREE} m_root",
    CLASSIFIER,
)
NODE_CLASS = _class(
    f"{_J48}ClassifierTree",
    0x86F4586751317E8F,
    "I m_id Z m_isEmpty Z m_isLeaf Lweka/classifiers/trees/j48/ClassifierSplitModel; "
    f"m_localModel [{_TREE} m_sons Lweka/classifiers/trees/j48/Distribution; m_test "
    "Lweka/classifiers/trees/j48/ModelSelection; m_toSelectModel "
    "Lweka/core/Instances; m_train",
)
PRUNED_NODE = _class(
    f"{_J48}C45PruneableClassifierTree",
    0xBD31E00F5304E69E,
    "F m_CF Z m_cleanup Z m_collapseTheTree Z m_pruneTheTree Z m_subtreeRaising",
    NODE_CLASS,
)
REDUCED_NODE = _class(
    f"{_J48}PruneableClassifierTree",
    0xF8497CE975D25F37,
    "Z m_cleanup I m_seed I numSets Z pruneTheTree",
    NODE_CLASS,
)
NODES = _class(f"[L{_J48}ClassifierTree;", 0xA1B68F7154C2CB09)
_SELECTION = _class(f"{_J48}ModelSelection", 0xBCB0D0E30C434BF6)
_SELECTS = (
    "Z m_doNotMakeSplitPointActualValue I m_minNoObj Z m_useMDLcorrection "
    "Lweka/core/Instances; m_allData"
)
SELECTION = _class(f"{_J48}C45ModelSelection", 0x2ECC7A74A7A154E5, _SELECTS, _SELECTION)
BINARY_SELECTION = _class(f"{_J48}BinC45ModelSelection", 0x27C8B0173FC54D1, _SELECTS, _SELECTION)
SPLIT_MODEL_CLASS = _class(
    f"{_J48}ClassifierSplitModel",
    0x3B68355CC6286B31,
    "I m_numSubsets Lweka/classifiers/trees/j48/Distribution; m_distribution",
)
NO_SPLIT = _class(f"{_J48}NoSplit", 0xEE0FB046EECE6EB6, "", SPLIT_MODEL_CLASS)
SPLIT_CLASS = _class(
    f"{_J48}C45Split",
    0x2A85CBEAA05072B9,
    "I m_attIndex I m_complexityIndex D m_gainRatio I m_index D m_infoGain I m_minNoObj "
    "D m_splitPoint D m_sumOfWeights Z m_useMDLcorrection",
    SPLIT_MODEL_CLASS,
)
BINARY_SPLIT = _class(
    f"{_J48}BinC45Split",
    0xEE40DF2ABA7A4F76,
    "I m_attIndex D m_gainRatio D m_infoGain I m_minNoObj D m_splitPoint D m_sumOfWeights "
    "Z m_useMDLcorrection",
    SPLIT_MODEL_CLASS,
)
DISTRIBUTION = _class(
    f"{_J48}Distribution",
    0x76557DA9EA5CF030,
    "D totaL [D m_perBag [D m_perClass [[D m_perClassPerBag",
)

# -------------------------------------------------------------------- costs around a tree

COST_SENSITIVE = _class(
    "weka.classifiers.meta.CostSensitiveClassifier",
    0xFE76DCF1E965DCDC,
    f"I m_MatrixSource Z m_MinimizeExpectedCost {_TEXT} m_CostFile "
    "Lweka/classifiers/CostMatrix; m_CostMatrix Ljava/io/File; m_OnDemandDirectory",
    _class(
        "weka.classifiers.RandomizableSingleClassifierEnhancer",
        0x7BF6EC8B33233E8,
        "I m_Seed",
        _class(
            "weka.classifiers.SingleClassifierEnhancer",
            0xCD2028C8331C3BD4,
            "Lweka/classifiers/Classifier; m_Classifier",
            CLASSIFIER,
        ),
    ),
)
COST_MATRIX = _class(
    "weka.classifiers.CostMatrix", 0xE49BAE67DDDF7C2B, "I m_size [[Ljava/lang/Object; m_matrix"
)

# -------------------------------------------------------------------- dates

_FORMAT = _class("java.text.Format", 0xFBD8BC12E90F1843)
DATE_FORMAT = _class(
    "java.text.SimpleDateFormat",
    0x4243C9DA93943590,
    "I serialVersionOnStream Ljava/util/Date; defaultCenturyStart "
    f"Ljava/text/DateFormatSymbols; formatData Ljava/util/Locale; locale {_TEXT} pattern",
    _class(
        "java.text.DateFormat",
        0x642CA1E4C22615FC,
        "Ljava/util/Calendar; calendar Ljava/text/NumberFormat; numberFormat",
        _FORMAT,
    ),
)
CALENDAR = _class(
    "java.util.GregorianCalendar",
    0x8F3DD7D6E5B0D0C1,
    "J gregorianCutover",
    _class(
        "java.util.Calendar",
        0xE6EA4D1EC8DC5B8E,
        "Z areFieldsSet I firstDayOfWeek Z isTimeSet Z lenient I minimalDaysInFirstWeek "
        "I nextStamp I serialVersionOnStream J time [I fields [Z isSet Ljava/util/TimeZone; zone",
        writes=True,
    ),
)
TIME_ZONE = _class(
    "java.util.SimpleTimeZone",
    0xFA675D60D15EF5A6,
    "I dstSavings I endDay I endDayOfWeek I endMode I endMonth I endTime I endTimeMode "
    "I rawOffset I serialVersionOnStream I startDay I startDayOfWeek I startMode I startMonth "
    "I startTime I startTimeMode I startYear Z useDaylight [B monthLength",
    _class("java.util.TimeZone", 0x31B3E9F57744ACA1, f"{_TEXT} ID"),
    writes=True,
)
NUMBER_FORMAT = _class(
    "java.text.DecimalFormat",
    0xBFF0362D872303A,
    "Z decimalSeparatorAlwaysShown B groupingSize I maximumFractionDigits "
    "I maximumIntegerDigits B minExponentDigits I minimumFractionDigits I minimumIntegerDigits "
    "I multiplier Z parseBigDecimal I serialVersionOnStream Z useExponentialNotation "
    f"{_TEXT} negPrefixPattern {_TEXT} negSuffixPattern {_TEXT} negativePrefix "
    f"{_TEXT} negativeSuffix {_TEXT} posPrefixPattern {_TEXT} posSuffixPattern "
    f"{_TEXT} positivePrefix {_TEXT} positiveSuffix Ljava/math/RoundingMode; roundingMode "
    "Ljava/text/DecimalFormatSymbols; symbols",
    _class(
        "java.text.NumberFormat",
        0xDFF6B3BF137D07E8,
        "Z groupingUsed B maxFractionDigits B maxIntegerDigits I maximumFractionDigits "
        "I maximumIntegerDigits B minFractionDigits B minIntegerDigits I minimumFractionDigits "
        "I minimumIntegerDigits Z parseIntegerOnly I serialVersionOnStream",
        _FORMAT,
        writes=True,
    ),
)
ROUNDING_CLASS = _class(
    "java.math.RoundingMode", 0, parent=_class("java.lang.Enum", 0, enum=True), enum=True
)
NUMBER_SYMBOLS = _class(
    "java.text.DecimalFormatSymbols",
    0x501D17990868939C,
    "C decimalSeparator C digit C exponential C groupingSeparator C minusSign "
    "C monetaryGroupingSeparator C monetarySeparator C patternSeparator C perMill C percent "
    f"I serialVersionOnStream C zeroDigit {_TEXT} NaN {_TEXT} currencySymbol "
    f"{_TEXT} exponentialSeparator {_TEXT} infinity {_TEXT} intlCurrencySymbol "
    f"Ljava/util/Locale; locale {_TEXT} minusSignText {_TEXT} perMillText {_TEXT} percentText",
)
LOCALE_CLASS = _class(
    "java.util.Locale",
    0x7EF811609C30F9EC,
    f"I hashcode {_TEXT} country {_TEXT} extensions {_TEXT} language {_TEXT} script "
    f"{_TEXT} variant",
    writes=True,
)
DATE_SYMBOLS = _class(
    "java.text.DateFormatSymbols",
    0xACE671C9351717C2,
    f"[{_TEXT} ampms [{_TEXT} eras {_TEXT} localPatternChars Ljava/util/Locale; locale "
    f"[{_TEXT} months [{_TEXT} shortMonths [{_TEXT} shortWeekdays [{_TEXT} weekdays "
    f"[[{_TEXT} zoneStrings",
    writes=True,
)

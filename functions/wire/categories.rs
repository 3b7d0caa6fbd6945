//! Response types of categories.

use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::Result;
use waraq_core::language::template_language;
use waraq_core::template::TemplateStatus;

use super::Category;

#[derive(Debug, Serialize, ToSchema)]
pub struct CategoriesResponse {
    pub categories: Vec<Category>,
}

/// Returns every category, each with the number of its templates in the catalogue. If the code of a language is given, counts only
/// templates in this language.
pub async fn categories_response(cloud: &Cloud, language: Option<&str>) -> Result<CategoriesResponse> {
    let language = language.map(template_language).transpose()?.map(|language| language.code);
    let rows = cloud.templates().rows().await?;
    let categories = rows.categories().list(&rows.category_counts(Some(TemplateStatus::Active), language));
    let categories = categories.into_iter().map(|category| Category {
        id: category.name.clone(),
        name: category.name,
        names: category.names.into_iter().map(|(code, name)| (code.to_owned(), name)).collect(),
        merged: category.merged,
        count: category.count,
    });
    Ok(CategoriesResponse { categories: categories.collect() })
}

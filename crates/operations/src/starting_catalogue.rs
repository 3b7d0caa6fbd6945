//! Publishes the starting catalogue, which is the set of templates of a new installation. They are published in the same way as the
//! templates of admins.

use anyhow::Result;
use functions::engine::RenderPermit;
use waraq_aws::Cloud;
use waraq_core::publishing::Upload;

/// Publishes those templates of the starting catalogue that are missing, and returns the number of published templates. If the
/// process ends before all of them are published, a second call publishes the rest.
pub async fn publish_catalogue(cloud: &Cloud) -> Result<usize> {
    let there: Vec<String> = cloud.templates().rows().await?.ids().map(str::to_owned).collect();
    let wanted = tokio::task::spawn_blocking(waraq_catalogue::templates).await?;
    let making = RenderPermit::for_caller("the starting catalogue")?;
    let publisher = making.publisher(cloud);
    let mut published = 0;
    for template in wanted.into_iter().filter(|template| there.iter().all(|id| id != template.slug)) {
        let upload = Upload {
            title: template.title.to_owned(),
            categories: template.categories.join(","),
            keywords: template.keywords.join(","),
            language: template.language.to_owned(),
            country: template.country.unwrap_or("").to_owned(),
            help: template.settings,
            docx: template.docx,
        };
        // If a template cannot be published, the others are published nevertheless.
        match publisher.publish(upload, None, Some(template.slug.to_owned())).await {
            Ok(_) => published += 1,
            Err(error) => {
                let findings = serde_json::to_string(&error.details.findings).unwrap_or_default();
                tracing::error!(template = template.slug, code = %error.code, cause = error.cause.as_deref(), findings, "not published");
            }
        }
    }
    Ok(published)
}
